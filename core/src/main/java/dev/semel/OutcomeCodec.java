package dev.semel;

/** Turns what an operation returns or throws into an {@link Outcome}, and a stored outcome back into a value. */
public interface OutcomeCodec<T> {

    Outcome encode(T value);

    /** What is kept of an operation that threw. */
    default Outcome encodeFailure(Throwable failure) {
        return StoredFailure.encode(failure);
    }

    /** The value of a stored outcome; throws {@link OperationFailedException} if the outcome has none. */
    T decode(Outcome outcome);

    /** For operations that make their outcome themselves. */
    static OutcomeCodec<Outcome> identity() {
        return new OutcomeCodec<>() {
            @Override
            public Outcome encode(Outcome value) {
                return value;
            }

            @Override
            public Outcome decode(Outcome outcome) {
                return outcome;
            }
        };
    }

    /** For operations whose value has a byte form. A stored failure decodes to an {@link OperationFailedException}. */
    static <T> OutcomeCodec<T> of(Codec<T> codec, String contentType) {
        return new OutcomeCodec<>() {
            @Override
            public Outcome encode(T value) {
                return Outcome.succeeded()
                        .contentType(contentType)
                        .payload(codec.encode(value))
                        .build();
            }

            @Override
            public T decode(Outcome outcome) {
                if (!outcome.isSuccess()) {
                    throw StoredFailure.decode(outcome);
                }
                return codec.decode(outcome.requirePayload());
            }
        };
    }

    static OutcomeCodec<String> text() {
        return of(Codec.text(), "text/plain;charset=utf-8");
    }
}
