package dev.semel.examples.orders;

/** An order of a customer, written as {@code customer cents}. */
record Order(String customer, long cents) {

    static Order parse(String text) {
        String[] parts = text.trim().split(" ");
        if (parts.length != 2 || !parts[1].matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException("an order looks like \"alice 1999\", got \"" + text + "\"");
        }
        return new Order(parts[0], Long.parseLong(parts[1]));
    }
}
