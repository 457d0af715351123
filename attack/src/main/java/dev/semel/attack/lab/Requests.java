package dev.semel.attack.lab;

import java.util.concurrent.atomic.AtomicInteger;

/** The pieces that attacks are made of. */
public final class Requests {

    public static final String ALICE = "Authorization: Bearer alice\r\n";
    public static final String HOST = "Host: shop.example\r\n";
    public static final String CLOSE = "Connection: close\r\n";
    public static final String SMUGGLED =
            "POST /search/smuggled HTTP/1.1\r\n" + HOST + "Content-Length: 0\r\n" + CLOSE + "\r\n";

    private static final String RUN = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);

    private static final AtomicInteger fresh = new AtomicInteger();

    private Requests() {}

    /** An unused key. */
    public static String key(String name) {
        return "Idempotency-Key: " + name + "-" + RUN + "\r\n";
    }

    /** A key that is another one each time. */
    public static String freshKey(String name) {
        return key(name + "-" + fresh.incrementAndGet());
    }

    /** The beginning of a request of Alice's with a key; the header is still open. */
    public static String charge(String name) {
        return "POST /charges HTTP/1.1\r\n" + HOST + ALICE + key(name);
    }

    /** A whole request of Alice's with a key and these header lines besides. */
    public static String charge(String name, String lines) {
        return charge(name) + lines + "Content-Length: 2\r\n" + CLOSE + "\r\n{}";
    }

    /** A whole request with this first line and these header lines, without a key. */
    public static String request(String methodAndTarget, String lines) {
        return methodAndTarget + " HTTP/1.1\r\n" + lines + "Content-Length: 2\r\n" + CLOSE + "\r\n{}";
    }
}
