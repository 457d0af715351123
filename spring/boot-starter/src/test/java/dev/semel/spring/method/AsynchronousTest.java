package dev.semel.spring.method;

import static dev.semel.spring.operation.StartUpFailures.analysed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.spring.Idempotent;
import dev.semel.spring.autoconfigure.SemelConfigurations;
import dev.semel.spring.operation.SemelConfigurationException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpEntity;
import org.springframework.http.ResponseEntity;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ReflectionUtils.MethodFilter;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Flux;

/** Methods whose work is not done when they return, and which an application does not start with. */
public class AsynchronousTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withPropertyValues("semel.store=memory")
            .withConfiguration(SemelConfigurations.with());

    abstract static class Generic<T> {

        @Idempotent(value = "inherited", key = "'x'")
        T inherited() {
            throw new IllegalStateException();
        }
    }

    public static class Later extends Generic<List<Flow.Publisher<String>>> {

        static class Result extends DeferredResult<String> {}

        interface Stage extends CompletionStage<String> {}

        @Idempotent(value = "future", key = "'x'")
        Future<String> future() {
            throw new IllegalStateException();
        }

        @Idempotent(value = "stage", key = "'x'")
        Stage stage() {
            throw new IllegalStateException();
        }

        @Idempotent(value = "publisher", key = "'x'")
        Publisher<String> publisher() {
            throw new IllegalStateException();
        }

        @Idempotent(value = "flux", key = "'x'")
        Flux<String> flux() {
            throw new IllegalStateException();
        }

        @Idempotent(value = "emitter", key = "'x'")
        SseEmitter emitter() {
            throw new IllegalStateException();
        }

        @Idempotent(value = "result", key = "'x'")
        Result result() {
            throw new IllegalStateException();
        }

        @Idempotent(value = "body", key = "'x'")
        ResponseEntity<StreamingResponseBody> body() {
            throw new IllegalStateException();
        }

        @Idempotent(value = "entity", key = "'x'")
        HttpEntity<Map<String, CompletableFuture<String>>> entity() {
            throw new IllegalStateException();
        }

        @Idempotent(value = "suspending", key = "'x'")
        Object suspending(kotlin.coroutines.Continuation<String> continuation) {
            throw new IllegalStateException();
        }
    }

    static class Done {

        @Idempotent(value = "done", key = "'x'")
        <T extends Comparable<T>> Map<String, List<T>> run() {
            throw new IllegalStateException();
        }
    }

    @Test
    void aValueIsDoneWhateverItIsMadeOf() {
        application.withBean(Done.class).run(context -> assertThat(context).hasNotFailed());
    }

    public static Stream<Method> asynchronous() {
        return MethodIntrospector.selectMethods(
                Later.class, (MethodFilter) method -> AnnotatedElementUtils.hasAnnotation(method, Idempotent.class))
                .stream();
    }

    @ParameterizedTest
    @MethodSource("asynchronous")
    void refusesAMethodWhoseOutcomeIsNotKnownWhenItReturns(Method method) {
        application.run(context -> assertThatThrownBy(() -> context.getBean(MethodOperations.class)
                        .read(method, Later.class, method.getAnnotation(Idempotent.class)))
                .isInstanceOf(SemelConfigurationException.class)
                .hasMessageContaining("Later." + method.getName())
                .hasMessageContaining("no outcome can be kept"));
    }

    @Async
    static class Detours {

        @Idempotent(value = "detours", key = "#id")
        CompletableFuture<String> run(String id) {
            throw new IllegalStateException(id);
        }
    }

    @Test
    void refusesAThreadThatWouldOnlyWaitForAnother() {
        application
                .withBean(Detours.class)
                .run(context -> analysed(context.getStartupFailure(), analysis -> {
                    assertThat(analysis.getDescription()).contains("Detours.run(String)", "@Async");
                    assertThat(analysis.getAction()).contains("Remove @Async", "task executor");
                }));
    }
}
