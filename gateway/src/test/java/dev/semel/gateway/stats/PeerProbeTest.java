package dev.semel.gateway.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.semel.gateway.ScriptedUpstream;
import dev.semel.gateway.TestGateway;
import dev.semel.gateway.config.Peer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a gateway finds out about another one. */
class PeerProbeTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Clock CLOCK = Clock.fixed(NOON, ZoneOffset.UTC);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final String READY = "HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{\"status\":\"ok\"}";
    private static final String NOT_READY = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";
    private static final String SILENT = "";
    private static final String BREAKS_OFF = ScriptedUpstream.CLOSE;
    private static final String REDIRECTS = "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n";
    private static final String READY_WITHOUT_END = "HTTP/1.1 200 OK\r\nContent-Length: 1099511627776\r\n\r\n{";

    private final Vertx vertx = Vertx.vertx();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(PeerHealth.class);
    private volatile String answer = READY;

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(log);
        vertx.close().await();
    }

    private PeerProbe probe(String url, Duration patience) {
        Peer peer =
                TestGateway.config("http://127.0.0.1:1", "peer", url).peers().get(0);
        return new PeerProbe(vertx, peer, patience, CLOCK);
    }

    /** Asks until the problem, or that there is none, is as expected; a busy machine may lose a probe. */
    private static Optional<Health.Problem> askUntil(PeerProbe probe, Predicate<Optional<Health.Problem>> expected) {
        return await().atMost(PATIENCE)
                .until(
                        () -> {
                            ask(probe);
                            return Optional.ofNullable(probe.problem());
                        },
                        expected);
    }

    private static Health.Problem askUntil(PeerProbe probe, String what) {
        return askUntil(
                        probe,
                        problem -> problem.map(Health.Problem::what)
                                .filter(what::equals)
                                .isPresent())
                .orElseThrow();
    }

    private static void ask(PeerProbe probe) {
        probe.ask().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void aPeerThatIsNotReadyOrSilentIsAProblemUntilItIsBack() throws Exception {
        try (ScriptedUpstream peer = new ScriptedUpstream((request, turn) -> answer)) {
            PeerProbe probe = probe(peer.url(), Duration.ofSeconds(1));
            ask(probe);
            assertThat(probe.problem()).isNull();

            answer = NOT_READY;
            Health.Problem notReady = askUntil(probe, "The gateway " + peer.url() + " is not ready");
            assertThat(notReady.part()).isEqualTo("peer");
            assertThat(notReady.since()).isEqualTo(NOON);
            assertThat(notReady.cause()).isEqualTo("/ready answers 503");
            assertThat(notReady.meaning()).contains("may be refused", "if the load balancer checks /ready");

            answer = SILENT;
            Health.Problem silent = askUntil(probe, "The gateway " + peer.url() + " does not answer");
            assertThat(silent.cause()).isEqualTo("no answer within 1000 ms");
            assertThat(silent.meaning()).contains("Requests that reach it fail", "if the load balancer checks /ready");

            answer = READY;
            askUntil(probe, Optional::isEmpty);
            assertThat(peer.requests).allMatch(request -> request.startsWith("GET /ready HTTP/1.1\r\n"));
            assertThat(peer.requests).noneMatch(request -> request.contains("Authorization"));
            assertThat(log.list)
                    .extracting(event -> event.getFormattedMessage().replaceFirst(" meaning=.*", ""))
                    .containsExactly(
                            "event=peer_down since=2030-01-01T12:00:00Z peer=" + peer.url(),
                            "event=peer_up since=2030-01-01T12:00:00Z peer=" + peer.url() + " down_for=PT0S");
        }
    }

    @Test
    void aSingleLostProbeIsNoOutage() throws Exception {
        try (ScriptedUpstream peer = new ScriptedUpstream((request, turn) -> answer)) {
            PeerProbe probe = probe(peer.url(), PATIENCE);
            for (int i = 0; i < 3; i++) {
                answer = BREAKS_OFF;
                ask(probe);
                assertThat(probe.problem()).isNull();
                answer = READY;
                ask(probe);
                assertThat(probe.problem()).isNull();
            }
            assertThat(log.list).isEmpty();

            answer = BREAKS_OFF;
            ask(probe);
            ask(probe);
            assertThat(probe.problem()).isNotNull();
        }
    }

    @Test
    void followsNoRedirectAndReadsNoBody() throws Exception {
        try (ScriptedUpstream peer = new ScriptedUpstream((request, turn) -> answer)) {
            PeerProbe probe = probe(peer.url(), PATIENCE);
            answer = REDIRECTS;
            ask(probe);
            ask(probe);
            assertThat(probe.problem().cause()).isEqualTo("/ready answers 302");

            answer = READY_WITHOUT_END;
            ask(probe);
            assertThat(probe.problem()).isNull();
            assertThat(peer.requests).noneMatch(request -> request.contains("/elsewhere"));
        }
    }

    @Test
    void asksOneQuestionAtATimeAndNoneWhenClosed() throws Exception {
        CountDownLatch answers = new CountDownLatch(1);
        try (ScriptedUpstream peer = new ScriptedUpstream((request, turn) -> {
            awaitQuietly(answers);
            return READY;
        })) {
            PeerProbe probe = probe(peer.url(), PATIENCE);
            Future<Void> first = probe.ask();
            await().atMost(PATIENCE).until(() -> peer.requests.size() == 1);

            assertThat(probe.ask().succeeded()).isTrue();
            assertThat(first.isComplete()).isFalse();

            answers.countDown();
            first.toCompletionStage().toCompletableFuture().join();
            assertThat(peer.requests).hasSize(1);
            ask(probe);
            assertThat(peer.requests).hasSize(2);

            probe.close();
            ask(probe);
            assertThat(peer.requests).hasSize(2);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
