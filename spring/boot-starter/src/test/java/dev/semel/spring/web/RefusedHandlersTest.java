package dev.semel.spring.web;

import static dev.semel.spring.operation.StartUpFailures.analysed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.HttpRules;
import dev.semel.policy.Policy;
import dev.semel.spring.Idempotent;
import dev.semel.spring.autoconfigure.SemelConfigurations;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Handlers that cannot be guarded, and which keep an application from starting. */
class RefusedHandlersTest {

    private static final String[] PROPERTIES = {"semel.store=memory", "semel.scope=everybody"};

    private final WebApplicationContextRunner mvc = new WebApplicationContextRunner()
            .withPropertyValues(PROPERTIES)
            .withUserConfiguration(Mvc.class)
            .withConfiguration(SemelConfigurations.with(ServletAutoConfiguration.class));

    private final ReactiveWebApplicationContextRunner webFlux = new ReactiveWebApplicationContextRunner()
            .withPropertyValues(PROPERTIES)
            .withUserConfiguration(WebFlux.class)
            .withConfiguration(SemelConfigurations.with(WebFluxAutoConfiguration.class));

    @EnableWebMvc
    static class Mvc {}

    @EnableWebFlux
    static class WebFlux {}

    @RestController
    static class EmitsEvents {

        @Idempotent("events")
        @PostMapping("/events")
        SseEmitter events() {
            return new SseEmitter();
        }
    }

    @RestController
    static class EmitsBody {

        @Idempotent("body")
        @PostMapping("/body")
        ResponseEntity<ResponseBodyEmitter> body() {
            return ResponseEntity.ok(new ResponseBodyEmitter());
        }
    }

    @RestController
    static class ReturnsEvents {

        @Idempotent("flux")
        @PostMapping("/flux")
        Flux<ServerSentEvent<String>> flux() {
            return Flux.never();
        }
    }

    @RestController
    static class ProducesEvents {

        @Idempotent("produces")
        @PostMapping(path = "/produces", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Mono<ResponseEntity<Flux<String>>> produces() {
            return Mono.never();
        }
    }

    @RestController
    @RequestMapping(path = "/inherited", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    static class InheritsEvents {

        @Idempotent("inherited")
        @PostMapping
        Flux<String> inherits() {
            return Flux.never();
        }
    }

    @RestController
    static class Streams {

        @Idempotent("stream")
        @PostMapping("/stream")
        StreamingResponseBody stream() {
            return out -> {};
        }

        @Idempotent("lines")
        @PostMapping(path = "/lines", produces = MediaType.APPLICATION_NDJSON_VALUE)
        Flux<String> lines() {
            return Flux.just("a", "b");
        }
    }

    @RestController
    static final class Final {

        @Idempotent("final")
        @PostMapping("/final")
        Mono<String> run() {
            return Mono.just("ran");
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                EmitsEvents.class,
                EmitsBody.class,
                ReturnsEvents.class,
                ProducesEvents.class,
                InheritsEvents.class
            })
    void aStreamOfEventsCannotBeHeldBack(Class<?> controller) {
        mvc.withUserConfiguration(controller)
                .run(context -> analysed(context.getStartupFailure(), analysis -> {
                    assertThat(analysis.getDescription()).contains(controller.getSimpleName(), "held back");
                    assertThat(analysis.getAction()).contains("GET");
                }));
    }

    @Test
    void norCanOneOfWebFlux() {
        Stream.of(ReturnsEvents.class, ProducesEvents.class)
                .forEach(controller -> webFlux.withUserConfiguration(controller)
                        .run(context -> analysed(
                                context.getStartupFailure(),
                                analysis ->
                                        assertThat(analysis.getDescription()).contains("held back"))));
    }

    @Test
    void aStreamThatEndsIsAResponseLikeAnyOther() {
        mvc.withUserConfiguration(Streams.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @RestController
    @Idempotent("reads")
    static class OnlyReads {

        @GetMapping("/read")
        String read() {
            return "read";
        }
    }

    @Test
    void aControllerThatChangesNothingGuardsNothing() {
        mvc.withUserConfiguration(OnlyReads.class)
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getDescription()).contains("OnlyReads", "guards nothing")));
    }

    @RestController
    @Idempotent(value = "payments", formerly = "Charges")
    static class Payments {

        @GetMapping("/pay")
        String read() {
            return "read";
        }

        @PostMapping("/pay")
        String pay() {
            return "paid";
        }

        @PostMapping("/refund")
        String refund() {
            return "refunded";
        }
    }

    @Test
    void theNamesOfAnAnnotatedControllerBeginWithItsOwn() {
        mvc.withUserConfiguration(Payments.class).run(context -> {
            MvcRules rules = context.getBean(MvcRules.class);
            List<Policy> policies = context
                    .getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                    .getHandlerMethods()
                    .values()
                    .stream()
                    .map(rules::rulesOf)
                    .filter(Objects::nonNull)
                    .map(HttpRules::policy)
                    .toList();

            assertThat(policies)
                    .extracting(Policy::operation)
                    .containsExactlyInAnyOrder("payments.pay", "payments.refund");
            assertThat(policies)
                    .flatExtracting(Policy::formerly)
                    .containsExactlyInAnyOrder("Charges.pay", "Charges.refund");
        });
    }

    @Test
    void aReactiveHandlerMustBeVisible() {
        webFlux.withUserConfiguration(Final.class)
                .run(context -> analysed(
                        context.getStartupFailure(),
                        analysis -> assertThat(analysis.getDescription()).contains("its class is final")));
        mvc.withUserConfiguration(Final.class)
                .run(context -> assertThat(context).hasNotFailed());
    }
}
