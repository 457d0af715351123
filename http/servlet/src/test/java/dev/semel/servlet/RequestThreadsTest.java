package dev.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.jdbc.JdbcKeyStore;
import dev.semel.policy.Policy;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.ForwardingKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A request leaves its thread for the store's lane, once to claim and once to settle, and for nothing else. */
class RequestThreadsTest {

    @TempDir
    static Path directory;

    private final Map<String, Thread> threads = new ConcurrentHashMap<>();
    private final List<Runnable> tasks = new CopyOnWriteArrayList<>();

    private void note(String step) {
        threads.put(step, Thread.currentThread());
    }

    /** Notes who calls the store and who completes its answers. */
    private final class NotedStore extends ForwardingKeyStore {

        NotedStore(KeyStore store) {
            super(store);
        }

        @Override
        public CompletionStage<Claim> claim(ClaimRequest request) {
            note("claims");
            return super.claim(request).whenComplete((claim, failure) -> note("has claimed"));
        }

        @Override
        public CompletionStage<Boolean> settle(Lease lease, Outcome outcome, Retention retention) {
            note("settles");
            return super.settle(lease, outcome, retention).whenComplete((settled, failure) -> note("has settled"));
        }
    }

    private final class NotingServlet extends HttpServlet {

        private static final long serialVersionUID = 1;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            note("runs the handler");
            response.setStatus(201);
            response.getWriter().print("paid");
        }
    }

    /** The container's side of the Semel filter. */
    private Filter container() {
        return (request, response, chain) -> {
            note("begins");
            chain.doFilter(request, new HttpServletResponseWrapper((HttpServletResponse) response) {
                @Override
                public ServletOutputStream getOutputStream() throws IOException {
                    note("replies");
                    return super.getOutputStream();
                }
            });
            note("ends");
        };
    }

    @Test
    void onlyTheLaneOfTheStoreWorksBesideTheRequestsThread() throws Exception {
        Tomcat tomcat = new Tomcat();
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl("jdbc:sqlite:" + directory.resolve("keys.db"));
            try (Semel semel = Semel.builder(new NotedStore(
                            JdbcKeyStore.builder(pool).createIfMissing().build()))
                    .executor(tasks::add)
                    .build()) {
                SemelFilter filter = SemelFilter.builder(
                                HttpGate.builder(semel).build(),
                                HttpRules.of(Policy.external("charge").build()))
                        .scope(request -> "shop")
                        .build();
                tomcat.setBaseDir(directory.toString());
                tomcat.setPort(0);
                Context context = tomcat.addContext("", directory.toString());
                TomcatServer.addFilter(context, "container", container(), TestServer.DISPATCHES);
                TomcatServer.addFilter(context, "semel", filter, TestServer.DISPATCHES);
                TomcatServer.addServlet(context, "charges", new NotingServlet(), "/");
                tomcat.start();

                assertThat(charge(tomcat.getConnector().getLocalPort())).isEqualTo("paid");
            } finally {
                tomcat.stop();
                tomcat.destroy();
            }
        }

        Thread own = threads.get("begins");
        assertThat(threads)
                .containsEntry("claims", own)
                .containsEntry("runs the handler", own)
                .containsEntry("settles", own)
                .containsEntry("replies", own)
                .containsEntry("ends", own);
        assertThat(List.of(threads.get("has claimed"), threads.get("has settled")))
                .allMatch(thread -> thread == own || thread.getName().startsWith("semel-jdbc-lane-"));
        assertThat(tasks).isEmpty();
    }

    private static String charge(int port) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/charges"))
                .header("Idempotency-Key", "\"k1\"")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }
}
