package dev.semel;

/** Turns the stored failure of an operation back into an exception of the application. */
@FunctionalInterface
public interface FailureMapper {

    /**
     * What to throw for a stored failure, such as an exception of {@linkplain OperationFailedException#type its type}.
     * Return a failure that the application does not know unchanged.
     */
    RuntimeException map(OperationFailedException stored);
}
