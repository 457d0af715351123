package dev.semel.dynamodb;

import dev.semel.spi.life.EngineFailures;
import dev.semel.store.StoreException;
import java.util.Set;
import java.util.function.Function;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/** Distinguishes temporary failures of the AWS SDK from permanent ones. */
final class Failures {

    /** Temporary errors with a status below 500. */
    private static final Set<String> PASSING = Set.of(
            "ProvisionedThroughputExceededException",
            "RequestLimitExceeded",
            "ThrottlingException",
            "TransactionInProgressException",
            "LimitExceededException",
            "ResourceInUseException");

    static final Function<Throwable, StoreException> WRAP = EngineFailures.of("DynamoDB", Failures::mayPass);

    private Failures() {}

    private static boolean mayPass(Throwable failure) {
        if (!(failure instanceof AwsServiceException error)) {
            return failure instanceof SdkException;
        }
        String code = error.awsErrorDetails() == null
                ? ""
                : String.valueOf(error.awsErrorDetails().errorCode());
        return error.statusCode() >= 500 || error.isThrottlingException() || PASSING.contains(code);
    }
}
