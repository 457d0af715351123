package dev.semel.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.HttpRules;
import dev.semel.policy.Recovery;
import dev.semel.spring.Idempotent;
import dev.semel.spring.autoconfigure.SemelConfigurations;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** Settings that concern dialects, as far as the rules of a handler tell. */
class DialectSettingsTest {

    private static final String SECRET = "semel.http.signature-secrets=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private final WebApplicationContextRunner mvc = new WebApplicationContextRunner()
            .withPropertyValues("semel.store=memory", "semel.scope=everybody")
            .withUserConfiguration(Mvc.class)
            .withConfiguration(
                    SemelConfigurations.with(ServletAutoConfiguration.class, SpringdocAutoConfiguration.class));

    @EnableWebMvc
    static class Mvc {}

    @RestController
    static class Charges {

        @Idempotent("charge")
        @PostMapping("/charges")
        String handle() {
            return "";
        }
    }

    @RestController
    static class Events {

        @Idempotent(value = "event", dialect = "webhook", recovery = Recovery.RE_EXECUTE)
        @PostMapping("/events")
        String handle() {
            return "";
        }
    }

    @RestController
    static class Misspelt {

        @Idempotent(value = "charge", dialect = "strip")
        @PostMapping("/charges")
        String handle() {
            return "";
        }
    }

    private static HttpRules rules(ApplicationContext context, Class<?> controller) {
        try {
            return context.getBean(MvcRules.class)
                    .rulesOf(new HandlerMethod(context.getBean(controller), controller.getDeclaredMethod("handle")));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void outcomesAreKeptForAsLongAsTheDialectPromises() {
        WebApplicationContextRunner webhooks = mvc.withBean(Events.class).withPropertyValues(SECRET);

        webhooks.run(context -> assertThat(
                        rules(context, Events.class).policy().retention().active())
                .isEqualTo(Duration.ofDays(4)));
        webhooks.withPropertyValues("semel.retention=5d")
                .run(context -> assertThat(rules(context, Events.class)
                                .policy()
                                .retention()
                                .active())
                        .isEqualTo(Duration.ofDays(5)));
        mvc.withBean(Charges.class)
                .run(context -> assertThat(rules(context, Charges.class)
                                .policy()
                                .retention()
                                .active())
                        .isEqualTo(Duration.ofDays(1)));
    }

    @Test
    void aWebhookWithoutASecretIsRefusedAtTheStart() {
        mvc.withBean(Events.class)
                .run(context -> assertThat(context).hasFailed().getFailure().hasStackTraceContaining("are signed"));
    }

    @Test
    void anUnknownDialectIsRefusedAtTheStart() {
        mvc.withBean(Misspelt.class)
                .run(context ->
                        assertThat(context).hasFailed().getFailure().hasStackTraceContaining("no dialect \"strip\""));
    }

    @Test
    void theExpiryIsPublishedWhereAUrlIsSetUnlessItIsSwitchedOff() {
        WebApplicationContextRunner charges = mvc.withBean(Charges.class);
        String documentation = "semel.http.documentation=https://docs.example.org/keys";

        charges.run(context -> assertThat(publishesExpiry(context)).isFalse());
        charges.withPropertyValues(documentation)
                .run(context -> assertThat(publishesExpiry(context)).isTrue());
        charges.withPropertyValues("semel.http.problem-pages=https://docs.example.org/problems")
                .run(context -> assertThat(publishesExpiry(context)).isTrue());
        charges.withPropertyValues(documentation, "semel.http.publish-expiry=false")
                .run(context -> assertThat(publishesExpiry(context)).isFalse());
        charges.withPropertyValues("semel.http.publish-expiry=true")
                .run(context -> assertThat(publishesExpiry(context)).isTrue());
    }

    private static boolean publishesExpiry(ApplicationContext context) {
        return rules(context, Charges.class).describe().headers().containsKey("Idempotency-Expires");
    }

    @Test
    void springdocIsNotNeeded() {
        mvc.withBean(Charges.class)
                .withClassLoader(new FilteredClassLoader("org.springdoc", "io.swagger"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(MvcRules.class)
                        .doesNotHaveBean("semelOpenApiOperations"));
    }
}
