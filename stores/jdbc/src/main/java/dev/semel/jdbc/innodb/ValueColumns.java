package dev.semel.jdbc.innodb;

import dev.semel.jdbc.row.OwnerWrite;

/**
 * The values of an update of many rows, as columns of a table {@code u} that the updated one is joined with.
 *
 * @param names their names, each followed by a comma
 * @param set what the update sets, with {@code u.} and a name in place of each {@code ?}
 */
record ValueColumns(String names, String set) {

    static ValueColumns of(OwnerWrite<?> write) {
        StringBuilder names = new StringBuilder();
        StringBuilder joined = new StringBuilder();
        int count = 0;
        for (char c : write.set().toCharArray()) {
            if (c == '?') {
                count++;
                names.append('p').append(count).append(", ");
                joined.append("u.p").append(count);
            } else {
                joined.append(c);
            }
        }
        return new ValueColumns(names.toString(), joined.toString());
    }
}
