package dev.semel.sealing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Header;
import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.KeyStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What 0.1.0 seals, in files that never change: later releases open it with the same master key. */
class FirstReleaseSealsTest {

    private static final Key KEY = Key.of("tenant", "order-19");
    private static final String STEP = "charge";
    private static final byte[] RESULT = "the result of a step ".repeat(10).getBytes(StandardCharsets.UTF_8);
    private static final Outcome OUTCOME = Outcome.succeeded()
            .format(1)
            .status(201)
            .contentType("application/json")
            .headers(List.of(new Header("Location", "/orders/19"), new Header("Set-Cookie", "a=1")))
            .payload("{\"id\":19, \"of\":\"" + "Größe ".repeat(10) + "\"}")
            .build();
    private static final MasterKeys MASTER = LocalMasterKeys.of(Map.of("2026-11", masterKey()));

    enum Sealed {
        COMPRESSED(Sealing.compressing(), new Seal(true, null)),
        ENCRYPTED(Sealing.encrypting(MASTER), new Seal(false, new DataKeys(MASTER))),
        COMPRESSED_AND_ENCRYPTED(Sealing.compressingAndEncrypting(MASTER), new Seal(true, new DataKeys(MASTER)));

        private final Sealing sealing;
        private final SealedRecords records;

        Sealed(Sealing sealing, Seal seal) {
            this.sealing = sealing;
            this.records = new SealedRecords(seal);
        }

        private String file(String what) {
            return "0.1.0/" + name().toLowerCase(Locale.ROOT) + "-" + what + ".hex";
        }

        private byte[] released(String what) throws IOException {
            try (InputStream in = FirstReleaseSealsTest.class.getResourceAsStream(file(what))) {
                assertThat(in).as(file(what)).isNotNull();
                String hex = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
                return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
            }
        }

        private void write(Path directory, String what, byte[] bytes) throws IOException {
            Path file = directory.resolve(file(what));
            Files.createDirectories(file.getParent());
            Files.writeString(file, HexFormat.of().formatHex(bytes).replaceAll(".{120}", "$0\n") + "\n");
        }
    }

    private static byte[] masterKey() {
        byte[] key = new byte[32];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) i;
        }
        return key;
    }

    @ParameterizedTest
    @EnumSource
    void replaysAResponseThatTheFirstReleaseSealed(Sealed sealed) throws IOException {
        InMemoryKeyStore below = InMemoryKeyStore.create();
        Claim.Acquired acquired = (Claim.Acquired) get(below.claim(claim()));
        get(below.settle(
                acquired.lease(),
                Outcome.succeeded()
                        .status(201)
                        .payload(sealed.released("outcome"))
                        .build(),
                Retention.DEFAULT));
        KeyStore store = sealed.sealing.around(below);

        assertThat(get(store.claim(claim())))
                .isInstanceOfSatisfying(
                        Claim.Settled.class,
                        settled -> assertThat(settled.outcome())
                                .usingRecursiveComparison()
                                .isEqualTo(OUTCOME));
    }

    @ParameterizedTest
    @EnumSource
    void opensAStepThatTheFirstReleaseSealed(Sealed sealed) throws IOException {
        Map<String, byte[]> opened = sealed.records
                .open(KEY.digest(), Map.of(STEP, sealed.released("step")))
                .join();

        assertThat(opened.get(STEP)).isEqualTo(RESULT);
    }

    /** Writes the files down: before a release in which the format is new. */
    @ParameterizedTest
    @EnumSource
    @EnabledIfSystemProperty(named = "seals.written", matches = ".+")
    void write(Sealed sealed) throws IOException {
        Path directory = Path.of(System.getProperty("seals.written"));
        sealed.write(
                directory, "outcome", sealed.records.seal(KEY.digest(), OUTCOME).requirePayload());
        sealed.write(directory, "step", sealed.records.sealStep(KEY.digest(), STEP, RESULT));
    }

    private static ClaimRequest claim() {
        return ClaimRequest.builder(KEY, "charge", Fingerprint.of("the request"))
                .build();
    }

    private static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
