package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Outcome;
import dev.semel.http.header.Prefer;
import dev.semel.policy.Duplicates;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HttpRulesTest {

    private static ExternalPolicy.Builder policy() {
        return Policy.external("charge");
    }

    @Test
    void p4GuardsPostAndPatchUnlessToldOtherwise() {
        HttpRules standard = HttpRules.of(policy().build());
        HttpRules own =
                HttpRules.builder(policy().build()).methods("put", "DELETE").build();

        assertThat(standard.guards("POST") && standard.guards("PATCH")).isTrue();
        assertThat(standard.guards("GET") || standard.guards("PUT") || standard.guards("post"))
                .isFalse();
        assertThat(own.guards("PUT") && own.guards("DELETE") && !own.guards("POST"))
                .isTrue();
    }

    @Test
    void p8ShortensAWaitToWhatTheClientPrefers() {
        HttpRules rules = HttpRules.of(
                policy().duplicates(Duplicates.waitFor(Duration.ofSeconds(20))).build());

        assertThat(rules.duplicatesFor(Prefer.NO_WAIT)).isEqualTo(Duplicates.waitFor(Duration.ofSeconds(20)));
        assertThat(rules.duplicatesFor(5)).isEqualTo(Duplicates.waitFor(Duration.ofSeconds(5)));
        assertThat(rules.duplicatesFor(99)).isEqualTo(Duplicates.waitFor(Duration.ofSeconds(20)));
        assertThat(rules.duplicatesFor(0)).isEqualTo(Duplicates.reject());
    }

    @Test
    void p8LetsAClientAskForAWaitWhereTheRulesAllowIt() {
        HttpRules never = HttpRules.of(policy().build());
        HttpRules some = HttpRules.builder(policy().build())
                .maxPreferredWait(Duration.ofSeconds(10))
                .build();

        assertThat(never.duplicatesFor(5)).isEqualTo(Duplicates.reject());
        assertThat(some.duplicatesFor(Prefer.NO_WAIT)).isEqualTo(Duplicates.reject());
        assertThat(some.duplicatesFor(5)).isEqualTo(Duplicates.waitFor(Duration.ofSeconds(5)));
        assertThat(some.duplicatesFor(60)).isEqualTo(Duplicates.waitFor(Duration.ofSeconds(10)));
        assertThat(some.duplicatesFor(0)).isEqualTo(Duplicates.reject());
    }

    @Test
    void p12AddsTheRefusedStatusesToThoseOfThePolicy() {
        HttpRules rules = HttpRules.builder(
                        policy().refused(outcome -> outcome.status() == 409).build())
                .refusedStatuses(429, 503)
                .build();

        assertThat(rules.policy().refused()).accepts(status(409), status(429), status(503));
        assertThat(rules.policy().refused()).rejects(status(401), status(200), status(500));
        assertThat(HttpRules.of(policy().build()).policy().refused())
                .rejects(status(401), status(403), status(429), status(503), status(400));
    }

    private static Outcome status(int status) {
        return Outcome.failed().status(status).build();
    }

    @Test
    void refusesWhatCannotWork() {
        assertThatThrownBy(() ->
                        HttpRules.builder(policy().build()).maxKeyLength(256).build())
                .hasMessageContaining("256");
        assertThatThrownBy(() ->
                        HttpRules.builder(policy().build()).maxRequestBody(-1).build())
                .hasMessageContaining("-1");
        assertThatThrownBy(() -> Fields.allBut("sentAt")).hasMessageContaining("sentAt");
        assertThatThrownBy(() -> Fields.only("/a~2")).hasMessageContaining("/a~2");
        assertThatThrownBy(Fields::only).isInstanceOf(IllegalArgumentException.class);
    }
}
