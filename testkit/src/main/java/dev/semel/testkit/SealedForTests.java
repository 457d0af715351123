package dev.semel.testkit;

import dev.semel.sealing.LocalMasterKeys;
import dev.semel.sealing.Sealing;
import dev.semel.spi.KeyStore;
import java.time.Duration;
import java.util.Map;

/** Seals stores under test as strictly as possible: compressed and encrypted, with nothing else accepted. */
public final class SealedForTests {

    private static final Sealing SEALING = Sealing.compressingAndEncrypting(
                    LocalMasterKeys.of(Map.of("test", new byte[32])))
            .openWithin(Duration.ofSeconds(30))
            .strict();

    private SealedForTests() {}

    /** A store that seals everything before it passes it to this one. */
    public static KeyStore around(KeyStore store) {
        return SEALING.around(store);
    }
}
