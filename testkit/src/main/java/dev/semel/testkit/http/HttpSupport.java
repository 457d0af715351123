package dev.semel.testkit.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyQuery;
import dev.semel.spi.KeyStore;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The base of all protocol tests: a server, and a separate case and key for each test. */
abstract class HttpSupport {

    static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int SERVICE_UNAVAILABLE = 503;

    String testCase = "";
    String key = "";
    private Client client = new Client(URI.create("http://localhost"), testCase);

    /** The address of the sample application, with a slash at the end. The server runs for the whole test class. */
    protected abstract URI baseUri();

    /** The application that is served. */
    protected abstract SampleService service();

    /** The store behind the gate. */
    protected abstract SwitchableStore store();

    /** Whether a request without a token reaches the gate; if not, the server must answer 401 before it. */
    protected boolean letsStrangersIn() {
        return true;
    }

    @BeforeEach
    final void connect() {
        testCase = UUID.randomUUID().toString();
        key = UUID.randomUUID().toString();
        client = new Client(baseUri(), testCase);
    }

    @AfterEach
    final void letGo() {
        store().down(false);
        store().settlesFail(false);
        service().end(testCase);
    }

    /** Waits until the engine has noticed that the store is back: until then it refuses the claims of other tests too. */
    final void bringStoreBack() {
        store().down(false);
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> post(Endpoint.CHARGE)
                                .key(UUID.randomUUID().toString())
                                .now()
                                .status()
                        != SERVICE_UNAVAILABLE);
    }

    final Client client() {
        return client;
    }

    final Client.Sending post(Endpoint endpoint) {
        return client.post(endpoint.path());
    }

    final Client.Sending post(Endpoint endpoint, String rest) {
        return client.post(endpoint.path() + rest);
    }

    final Client.Sending keyed(Endpoint endpoint) {
        return post(endpoint).key(key);
    }

    final Client.Sending keyed(Endpoint endpoint, String rest) {
        return post(endpoint, rest).key(key);
    }

    final void assertRuns(int expected) {
        assertThat(service().runs(testCase)).as("runs of the handler").isEqualTo(expected);
    }

    /** Sends a request that ends when the test says so, and returns when it runs. */
    final CompletableFuture<Received> startSlow(Endpoint endpoint) {
        CompletableFuture<Received> first = keyed(endpoint).later();
        awaitRuns(1);
        return first;
    }

    /** Lets slow requests end, and gives the answer of this one. */
    final Received end(CompletableFuture<Received> slow) {
        service().end(testCase);
        return slow.join().hasStatus(201);
    }

    /** Sends a request that is answered with this status, and again: it runs once, and its response is replayed. */
    final void runsOnce(int status, Supplier<Client.Sending> request) {
        Received first = request.get().now().hasStatus(status);
        request.get().now().replays(first);
        assertRuns(1);
    }

    final void awaitRuns(int expected) {
        Awaitility.await().atMost(PATIENCE).until(() -> service().runs(testCase) == expected);
    }

    /** Sends the same request again and again until it is answered with this status. */
    final Received awaitStatus(Endpoint endpoint, int status) {
        return Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> keyed(endpoint).now(), received -> received.status() == status);
    }

    /** Whether there is a key of alice with this value in the store. */
    boolean isStoredAs(String value) {
        Inspecting inspecting = KeyStore.capability(store(), Inspecting.class).orElseThrow();
        KeyQuery query = KeyQuery.builder(10).scope("alice").value(value).build();
        return !inspecting.page(query).toCompletableFuture().join().records().isEmpty();
    }
}
