package dev.semel.gateway.config;

/** Shares of the memory that this process may take at most. */
final class Heap {

    private static final long MAX = Runtime.getRuntime().maxMemory();

    /** A client with TLS takes about a quarter of this, and the rest of the heap has other uses. */
    private static final long OF_A_CONNECTION = 256 << 10;

    private static final int BODIES = 4;
    private static final int MOST_BODIES = 2;

    private Heap() {}

    /** The size of all bodies together; 0 stands for as much as is good for this heap. */
    static long bodies(String text) {
        return bodies(text, MAX);
    }

    static long bodies(String text, long heap) {
        long asked = Parse.size(text);
        if (asked == 0) {
            return heap / BODIES;
        }
        if (asked > heap / MOST_BODIES) {
            throw new IllegalArgumentException("\"" + text + "\" does not fit the heap, which has at most "
                    + (heap >> 20) + "m, half of it for bodies: ask for " + ((heap / MOST_BODIES) >> 20)
                    + "m or less, or give Java a larger heap (-Xmx)");
        }
        return asked;
    }

    /** The number of clients' connections; 0 stands for as many as are good for this heap. */
    static int connections(String text) {
        int asked = Parse.number(text, 0);
        return asked == 0 ? (int) Math.min(Integer.MAX_VALUE, MAX / OF_A_CONNECTION) : asked;
    }
}
