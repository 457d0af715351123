package dev.semel;

import java.util.concurrent.CompletionStage;

/** The work that must happen once, for work that completes later. */
@FunctionalInterface
public interface AsyncOperation<T> {

    CompletionStage<T> run(Attempt attempt);
}
