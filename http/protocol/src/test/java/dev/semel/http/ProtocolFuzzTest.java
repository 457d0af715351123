package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.semel.Fingerprint;
import dev.semel.http.fingerprint.RequestContent;
import dev.semel.http.header.IdempotencyKeyHeader;
import dev.semel.http.header.IdempotencyKeyHeader.InvalidKeyException;
import dev.semel.http.header.Prefer;
import dev.semel.http.header.TraceParent;
import dev.semel.http.json.CanonicalJson;
import dev.semel.http.problem.Problem;
import dev.semel.http.problem.ProblemType;
import dev.semel.http.spool.Spool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Everything that reads what a client sends. In the build the collected inputs are replayed; with {@code JAZZER_FUZZ=1}
 * in the environment, new ones are searched for.
 */
class ProtocolFuzzTest {

    @FuzzTest(maxDuration = "10m")
    void keyHeader(FuzzedDataProvider data) {
        boolean strict = data.consumeBoolean();
        String line = data.consumeRemainingAsString();
        try {
            String key = IdempotencyKeyHeader.parse("Idempotency-Key", List.of(line), strict, 255);
            assertThat(key).hasSizeBetween(1, 255);
            assertThat(key.chars()).allMatch(c -> c >= 0x20 && c <= 0x7e);
        } catch (InvalidKeyException e) {
            assertThat(e.detail()).isNotBlank();
        }
    }

    @FuzzTest(maxDuration = "10m")
    void canonicalJson(byte[] body) {
        Optional<CanonicalJson> json = CanonicalJson.parse(body);
        if (json.isPresent()) {
            byte[] canonical = json.get().bytes();
            assertThat(canonical.length).isLessThanOrEqualTo(body.length * 6 + 32);
            assertThat(CanonicalJson.parse(canonical).orElseThrow().bytes()).isEqualTo(canonical);
        }
    }

    @FuzzTest(maxDuration = "10m")
    void fingerprint(FuzzedDataProvider data) throws IOException {
        String query = data.consumeString(50);
        String type = data.pickValue(new String[] {"application/json", "text/plain", data.consumeString(50)});
        Fields fields = data.consumeBoolean() ? Fields.all() : Fields.allBut("/a", "/b/0");
        byte[] body = data.consumeRemainingAsBytes();
        Fingerprint first = fingerprint(query, type, fields, body);

        assertThat(fingerprint(query, type, fields, Arrays.copyOf(body, body.length)))
                .isEqualTo(first);
        Prefer.wait(List.of(query));
        TraceParent.traceId(query);
    }

    private static Fingerprint fingerprint(String query, String type, Fields fields, byte[] body) throws IOException {
        RequestHead head = RequestHead.of(
                "POST", "/" + query, query, name -> name.equals("Content-Type") ? List.of(type) : List.of());
        try (Spool spool = Spool.inMemory(1 << 20)) {
            spool.offer(body);
            return RequestFingerprint.of(head, new RequestContent(head.headers()::lines, spool), fields, false);
        }
    }

    @FuzzTest(maxDuration = "10m")
    void jsonText(FuzzedDataProvider data) {
        String detail = data.consumeRemainingAsString();
        byte[] body = Problem.of(ProblemType.IN_FLIGHT, detail).answer().body();
        boolean encodable = StandardCharsets.UTF_8.newEncoder().canEncode(detail);

        if (encodable) {
            assertThat(CanonicalJson.parse(body)).isPresent();
        }
    }
}
