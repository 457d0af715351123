package dev.semel.http.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Header;
import dev.semel.Key;
import dev.semel.KeyDigest;
import dev.semel.Namespace;
import dev.semel.Semel;
import dev.semel.http.dialect.Dialect;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only a record of the caller who asks is looked up. */
class StatusResourceTest {

    private static final Key KEY = Key.of("alice", "order 17, räksmörgås " + "x".repeat(100));

    private final List<KeyDigest> lookedUp = new ArrayList<>();
    private final Semel semel =
            Semel.builder(watched(InMemoryKeyStore.create())).build();
    private final StatusResource resource = new StatusResource(
            "/status",
            semel,
            Namespace.DEFAULT,
            operation -> new Replays(Dialect.draft()),
            operation -> false,
            new ObservedDurations(),
            Clock.systemUTC());

    @AfterEach
    void close() {
        semel.close();
    }

    private KeyStore watched(InMemoryKeyStore store) {
        return (KeyStore) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {KeyStore.class, Inspecting.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("find")) {
                        lookedUp.add((KeyDigest) arguments[0]);
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private String location() {
        return resource.accepted(KEY, Fingerprint.of("order"), 1).headers().stream()
                .filter(header -> header.name().equals("Location"))
                .map(Header::value)
                .findFirst()
                .orElseThrow();
    }

    private int statusFor(String caller, String path) {
        return resource.answer(path, caller, (record, stored) -> CompletableFuture.completedStage(stored))
                .toCompletableFuture()
                .join()
                .status();
    }

    @Test
    void looksUpARecordOfTheCallerItself() {
        assertThat(statusFor("alice", location())).isEqualTo(404);
        assertThat(lookedUp).containsExactly(KEY.digest());
    }

    @ParameterizedTest
    @ValueSource(strings = {"mallory", "Alice", "alice ", ""})
    void doesNotLookUpARecordOfAnotherCaller(String caller) {
        assertThat(statusFor(caller, location())).isEqualTo(404);
        assertThat(statusFor(caller, "/status/" + KEY.digest())).isEqualTo(404);
        assertThat(lookedUp).isEmpty();
    }

    @Test
    void aReferenceDoesNotShowTheKey() {
        assertThat(location()).doesNotContain("order").matches("/status/[0-9a-f]{32}\\.[A-Za-z0-9_-]+");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {".", ".x", "0.", "00000000000000000000000000000000.AAAA", "00000000000000000000000000000000.%"})
    void doesNotLookUpWhatIsNoReference(String reference) {
        assertThat(statusFor("alice", "/status/" + reference)).isEqualTo(404);
        assertThat(lookedUp).isEmpty();
    }
}
