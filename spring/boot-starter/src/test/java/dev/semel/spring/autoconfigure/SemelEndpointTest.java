package dev.semel.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyState;
import dev.semel.spi.Lease;
import dev.semel.util.TraceText;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What an operator may decide through the actuator. */
class SemelEndpointTest {

    private static final Retention MONTH = Retention.of(Duration.ofDays(30)).withTombstone(Duration.ofDays(365));

    /** The value of the operation "count" is a number. */
    private static final OutcomeCodec<Integer> NUMBER = OutcomeCodec.of(
            new Codec<>() {
                @Override
                public byte[] encode(Integer value) {
                    return value.toString().getBytes(StandardCharsets.UTF_8);
                }

                @Override
                public Integer decode(byte[] bytes) {
                    return Integer.valueOf(new String(bytes, StandardCharsets.UTF_8));
                }
            },
            "text/plain");

    private static final SecurityContext OPERATOR = new SecurityContext() {
        @Override
        public Principal getPrincipal() {
            return () -> "olga\n";
        }

        @Override
        public boolean isUserInRole(String role) {
            return false;
        }
    };

    private final InMemoryKeyStore store = InMemoryKeyStore.create();
    private final SemelEndpoint endpoint =
            new SemelEndpoint(store, store, operation -> operation.equals("count") ? NUMBER : null);

    @Test
    void aMethodNeedsAValueThatItCanReturn() {
        Lease lease = unknown("count");

        assertThat(resolve(lease, null)).contains("replays the value of a method", "there is none");
        assertThat(resolve(lease, "many")).contains("replays the value of a method", "many");
        assertThat(resolve(lease, "7")).isEqualTo("{resolved=true}");
        assertThat(NUMBER.decode(record(lease).outcome())).isEqualTo(7);
    }

    @Test
    void whatIsResolvedIsKeptAsItsOperationSays() {
        Lease lease = unknown("count");

        assertThat(resolve(lease, "7")).isEqualTo("{resolved=true}");

        KeyRecord record = record(lease);
        assertThat(record.expiresAt()).isEqualTo(record.settledAt().plus(MONTH.active()));
        assertThat(record.freeAt()).isEqualTo(record.expiresAt().plus(MONTH.tombstone()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "one\nevent=resolve by=somebody", "a\u0000b", "a\u2028b", "LONG"})
    void aReasonIsOneLineThatAPersonCanRead(String reason) {
        Lease lease = unknown("count");

        WebEndpointResponse<Map<String, Object>> answer = endpoint.resolve(
                lease.digest().toString(),
                lease.token(),
                "released",
                reason.equals("LONG") ? "x".repeat(501) : reason,
                OPERATOR,
                null,
                null,
                null);

        assertThat(answer.getStatus()).isEqualTo(400);
        assertThat(String.valueOf(answer.getBody())).contains("reason must have 1 to 500 characters");
        assertThat(record(lease).state()).isEqualTo(KeyState.UNKNOWN);
    }

    @Test
    void theAuditNamesThePrincipal() {
        Lease lease = unknown("count");
        resolve(lease, "7");

        assertThat(new SemelDecisionsEndpoint(store)
                        .decisions(lease.digest().toString(), null, null)
                        .getBody())
                .asString()
                .contains("by=actuator:olga_", "before=unknown", "after=succeeded", "reason=found it");
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void everyChangeLeavesAnAuditLine(CapturedOutput output) {
        Lease lease = unknown("count");

        resolve(lease, "7");
        resolve(lease, "8");

        assertThat(output.getAll().lines().filter(line -> line.contains("event=resolve")))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .contains(
                                "by=\"actuator:olga_\"",
                                "subject=" + lease.digest(),
                                "operation=count",
                                "after=\"succeeded\"")
                        .contains("token=" + lease.token(), "reason=\"found it\""))
                .satisfiesExactly(
                        line -> assertThat(line).contains("result=applied"),
                        line -> assertThat(line).contains("result=moved-on"));
    }

    @Test
    void anUnknownKeyShowsItsRequestAndItsCauseAndOnlyItsOwnSteps() {
        Lease lease = claimed("charge");
        store.recordStep(lease, "reserve", new byte[0]).toCompletableFuture().join();
        store.recordStep(lease, KeyRecord.causeStep(1), "no answer within 2 s".getBytes(StandardCharsets.UTF_8))
                .toCompletableFuture()
                .join();
        store.abandon(lease).toCompletableFuture().join();

        assertThat(endpoint.key(lease.digest().toString()).toString())
                .contains("request=POST /charges", "cause=no answer within 2 s", "steps=[reserve]");
    }

    private Lease unknown(String operation) {
        Lease lease = claimed(operation);
        store.abandon(lease).toCompletableFuture().join();
        return lease;
    }

    private Lease claimed(String operation) {
        ClaimRequest request = ClaimRequest.builder(Key.of("shop", operation), operation, Fingerprint.of("body"))
                .lease(Duration.ofMinutes(1))
                .retention(MONTH)
                .traceId(TraceText.join(null, "POST /charges"))
                .build();
        Claim claim = store.claim(request).toCompletableFuture().join();
        return ((Claim.Acquired) claim).lease();
    }

    private String resolve(Lease lease, String body) {
        WebEndpointResponse<Map<String, Object>> answer = endpoint.resolve(
                lease.digest().toString(), lease.token(), "succeeded", "found it", OPERATOR, null, null, body);
        return String.valueOf(answer.getBody());
    }

    private KeyRecord record(Lease lease) {
        return store.find(lease.digest()).toCompletableFuture().join().orElseThrow();
    }
}
