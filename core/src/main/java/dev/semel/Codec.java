package dev.semel;

/** Turns a value into bytes that can be kept, and back. A codec of what may be {@code null} takes it and gives it back. */
public interface Codec<T> {

    byte[] encode(T value);

    T decode(byte[] bytes);

    /** Text in UTF-8. {@code null} is kept as a byte that no such text contains. */
    static Codec<String> text() {
        return TextCodec.INSTANCE;
    }
}
