package dev.semel.spring.method;

import dev.semel.policy.Mode;
import dev.semel.policy.Policy;
import dev.semel.spring.Idempotent;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Warns of retries that cannot help, because they get the stored failure of the first try. */
final class RetriedMethods {

    private static final Logger LOG = LoggerFactory.getLogger(RetriedMethods.class);

    /** Of Spring Framework 7, and of Spring Retry. */
    private static final Set<String> RETRYABLE = Set.of(
            "org.springframework.resilience.annotation.Retryable", "org.springframework.retry.annotation.Retryable");

    private RetriedMethods() {}

    static void warn(Method method, Class<?> type, Idempotent idempotent, Policy policy, String place) {
        if (policy.mode() == Mode.EXTERNAL
                && idempotent.notExecuted().length == 0
                && Stream.<AnnotatedElement>of(method, type).anyMatch(RetriedMethods::isRetryable)) {
            LOG.warn(
                    "{} is @Retryable and @Idempotent in mode EXTERNAL: an exception is its outcome, so that a retry"
                            + " around it gets the stored failure of the first try. Name the exceptions that mean that"
                            + " nothing happened in notExecuted, or retry inside the method",
                    place);
        }
    }

    private static boolean isRetryable(AnnotatedElement element) {
        MergedAnnotations annotations = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
        return RETRYABLE.stream().anyMatch(annotations::isPresent);
    }
}
