package dev.semel.dynamodb;

import dev.semel.StoreException;
import dev.semel.StoreUnavailableException;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/** Turns what the AWS SDK reports into the exceptions of a store. */
final class Failures {

    /** Errors with a status below 500 that pass nevertheless. */
    private static final Set<String> PASSING = Set.of(
            "ProvisionedThroughputExceededException",
            "RequestLimitExceeded",
            "ThrottlingException",
            "TransactionInProgressException",
            "LimitExceededException",
            "ResourceInUseException");

    private Failures() {}

    static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    static StoreException wrap(Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof StoreException known) {
            return known;
        }
        if (cause instanceof AwsServiceException error) {
            String code = error.awsErrorDetails() == null
                    ? ""
                    : String.valueOf(error.awsErrorDetails().errorCode());
            return error.statusCode() >= 500 || error.isThrottlingException() || PASSING.contains(code)
                    ? new StoreUnavailableException("DynamoDB cannot serve the call now: " + error.getMessage(), cause)
                    : new StoreException("DynamoDB refused the call: " + error.getMessage(), cause);
        }
        if (cause instanceof SdkException) {
            return new StoreUnavailableException("DynamoDB cannot be reached: " + cause.getMessage(), cause);
        }
        return new StoreException("the call of DynamoDB failed in an unexpected way: " + cause, cause);
    }
}
