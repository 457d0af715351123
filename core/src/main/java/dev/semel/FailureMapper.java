package dev.semel;

/** Turns the stored failure of an operation back into an exception of the application. */
@FunctionalInterface
public interface FailureMapper {

    /**
     * Returns the exception to throw for a stored failure, for example one of {@linkplain OperationFailedException#type
     * its original type}. Return an unknown failure unchanged.
     */
    RuntimeException map(OperationFailedException stored);
}
