package dev.semel;

import java.util.List;

/** Converts the value or exception of an operation to an {@link Outcome}, and a stored outcome back to a value. */
public interface OutcomeCodec<T> {

    Outcome encode(T value);

    /** The outcome of an operation that threw. */
    default Outcome encodeFailure(Throwable failure) {
        return OperationFailedException.of(failure).toOutcome();
    }

    /** The value of a stored outcome; throws {@link OperationFailedException} if the outcome has none. */
    T decode(Outcome outcome);

    /**
     * The same codec, except that a stored failure is thrown as the exception that the mapper returns. The
     * application's exception handlers then work for duplicates too. The stored failure is added to that exception as a
     * suppressed one; if the exception does not accept it, the stored failure is thrown instead.
     */
    default OutcomeCodec<T> mapFailures(FailureMapper mapper) {
        OutcomeCodec<T> codec = this;
        return new OutcomeCodec<>() {
            @Override
            public Outcome encode(T value) {
                return codec.encode(value);
            }

            @Override
            public Outcome encodeFailure(Throwable failure) {
                return codec.encodeFailure(failure);
            }

            @Override
            public T decode(Outcome outcome) {
                try {
                    return codec.decode(outcome);
                } catch (OperationFailedException e) {
                    RuntimeException mapped = mapper.map(e);
                    if (mapped != e) {
                        mapped.addSuppressed(e);
                    }
                    throw List.of(mapped.getSuppressed()).contains(e) ? mapped : e;
                }
            }
        };
    }

    /** A codec for operations that build their outcome themselves. */
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

    /**
     * A codec for operations with a {@link Codec} for their value. A stored failure decodes to an {@link
     * OperationFailedException}.
     */
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
                    throw OperationFailedException.of(outcome);
                }
                return codec.decode(outcome.requirePayload());
            }
        };
    }

    /** A codec for operations that return nothing. */
    static OutcomeCodec<Void> nothing() {
        return of(Codec.nothing(), "application/octet-stream");
    }

    static OutcomeCodec<String> text() {
        return of(Codec.text(), "text/plain;charset=utf-8");
    }
}
