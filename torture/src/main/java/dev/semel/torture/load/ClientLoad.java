package dev.semel.torture.load;

import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.TorturePlan;
import dev.semel.torture.process.DaemonThreads;
import dev.semel.torture.server.Ledger;
import dev.semel.torture.server.Node;
import dev.semel.torture.service.ServiceReply.Kind;
import dev.semel.torture.service.ServiceRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Clients: each tells one story after the other, with duplicates, retries, other bodies and other callers. */
public final class ClientLoad {

    private static final int COLD_RATE = 40;
    private static final int WARM = 3;
    private static final Duration WARM_UP = Duration.ofSeconds(20);

    /** A client whose operation does not succeed does not try forever. */
    private static final int MAX_REFUSALS = 5;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

    private final TorturePlan plan;
    private final List<Node> nodes;
    private final Sender sender;
    private final StoryBook stories;
    private final List<Thread> clients = new ArrayList<>();
    private final AtomicLong nextSlot = new AtomicLong(System.nanoTime());
    private volatile boolean warm;
    private volatile boolean stopped;

    public ClientLoad(TorturePlan plan, List<Node> nodes, Sender sender, Ledger ledger) {
        this.stories = new StoryBook(plan, ledger);
        this.plan = plan;
        this.nodes = nodes;
        this.sender = sender;
    }

    /** Starts slowly: a node that has just been started is slow, and would be given up by all clients at once. */
    public void start() {
        for (int i = 0; i < plan.clients(); i++) {
            Random random = new Random(plan.seed() * 1_000 + i);
            clients.add(DaemonThreads.of("client-" + i, () -> tellStories(random)));
        }
        clients.forEach(Thread::start);
    }

    /** Waits until nodes have served something, and then sends as many requests as the plan says. */
    public void warmUp() throws InterruptedException {
        long deadline = System.nanoTime() + WARM_UP.toNanos();
        while (sender.replies(Kind.EXECUTED) < (long) WARM * nodes.size() && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        warm = true;
    }

    /** Lets the clients end the stories they are in. */
    public void stop() throws InterruptedException {
        stopped = true;
        for (Thread client : clients) {
            client.join();
        }
    }

    public List<Story> stories() {
        return stories.all();
    }

    /** The scope that is erased; {@code null} if none is. */
    public @Nullable ErasedScope erasedScope() {
        return stories.erased();
    }

    private void tellStories(Random random) {
        while (!stopped) {
            Story due = stories.due();
            if (due == null) {
                tell(stories.next(random), random);
            } else {
                goOn(due, random);
            }
            for (int i = random.nextInt(3); i > 0; i--) {
                comeAgain(random);
            }
        }
    }

    private void tell(Story story, Random random) {
        int copies = random.nextInt(3) == 0 ? 2 + random.nextInt(3) : 1;
        List<CompletableFuture<Kind>> sent = new ArrayList<>();
        for (int i = 0; i < copies; i++) {
            pace();
            sent.add(sender.send(story, any(story, random), story.body()));
        }
        if (story.isStrict() && random.nextInt(10) == 0) {
            sent.add(sender.send(story, any(story, random), story.body() + ServiceRequest.SOMETHING_ELSE));
        }
        sent.forEach(CompletableFuture::join);
        retry(story, random, plan.lease().multipliedBy(plan.isSemel() ? 4 : 2));
        if (random.nextInt(3) == 0) {
            pace();
            sender.send(story, any(story, random), story.body()).join();
        }
        awaitDecision(story, random);
        stories.putAside(story);
    }

    /** Waits for a person to decide on a key that is soon forgotten, since only an outcome lets it have another life. */
    private void awaitDecision(Story story, Random random) {
        Life life = story.life();
        Kind kind = Kind.UNKNOWN;
        while (life != null
                && !life.endsByDecision()
                && plan.faults().contains(FaultKind.OPERATOR)
                && story.settledAs() == null
                && kind == Kind.UNKNOWN) {
            pace();
            kind = sender.send(story, any(story, random), story.body()).join();
            pauseNanos(BETWEEN_LOOKS.toNanos());
        }
    }

    /** Asks again for something whose key should be free by now, or should have a tombstone. */
    private void goOn(Story story, Random random) {
        Life life = Objects.requireNonNull(story.life());
        Long left = life.untilNext();
        if (left == null || left > 0) {
            // A request that came again is still under way, or had no answer.
            stories.putAside(story);
            return;
        }
        story.liveOn(life.next());
        if (Objects.requireNonNull(story.life()).isTombstone()) {
            pace();
            sender.send(story, any(story, random), story.body()).join();
            stories.putAside(story);
        } else {
            tell(story, random);
        }
    }

    /**
     * Sends the story until a client learns how it ended, or that it does not succeed; {@code false} if no client learns
     * anything in time.
     */
    boolean retry(Story story, Random random, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        int refused = 0;
        while (!story.hasEnded() && refused < MAX_REFUSALS) {
            if (System.nanoTime() > deadline) {
                sender.gaveUp(story);
                return false;
            }
            pace();
            Kind kind = sender.retry(story, any(story, random)).join();
            if (kind == Kind.MISMATCH || kind == Kind.NOT_APPLIED || kind == Kind.FAILED) {
                refused++;
            }
            if (!story.hasEnded()) {
                pauseNanos(TimeUnit.MILLISECONDS.toNanos(30 + random.nextInt(60)));
            }
        }
        story.end();
        return true;
    }

    /** Retries all unfinished stories at the same time; returns those that are still unfinished after that. */
    public List<Story> endStories() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(plan.clients(), DaemonThreads.named("ending"));
        Map<Story, Future<Boolean>> ends = new LinkedHashMap<>();
        Duration patience =
                plan.isSemel() ? plan.lease().plusSeconds(30) : plan.lease().multipliedBy(5);
        for (Story story : stories()) {
            if (!story.hasEnded()) {
                Random random = new Random(plan.seed() + ends.size());
                ends.put(story, threads.submit(() -> retry(story, random, patience)));
            }
        }
        threads.shutdown();
        List<Story> endless = new ArrayList<>();
        for (Map.Entry<Story, Future<Boolean>> end : ends.entrySet()) {
            if (!end.getValue().get()) {
                endless.add(end.getKey());
            }
        }
        return endless;
    }

    /** Asks once more for something that may have ended long ago. */
    private void comeAgain(Random random) {
        Story old = stories.old(random);
        if (old.isOver()) {
            return;
        }
        pace();
        String body =
                old.isStrict() && random.nextInt(5) == 0 ? old.body() + ServiceRequest.SOMETHING_ELSE : old.body();
        sender.send(old, any(old, random), body).join();
    }

    /** Mostly a node that lives, as a load balancer would choose. */
    private Node any(Story story, Random random) {
        Node node = nodes.get(random.nextInt(nodes.size()));
        if (!node.current().isAlive() && random.nextInt(5) > 0) {
            node = nodes.get(random.nextInt(nodes.size()));
        }
        // The first node is never upgraded.
        return story.isStrict() && node.current().options().fingerprintVersion() != 1 ? nodes.get(0) : node;
    }

    /** Waits for this request's turn, so that there are at most so many per second. */
    private void pace() {
        long interval = TimeUnit.SECONDS.toNanos(1) / (warm ? plan.rate() : COLD_RATE);
        long now = System.nanoTime();
        long slot = nextSlot.updateAndGet(last -> Math.max(last + interval, now - TimeUnit.SECONDS.toNanos(1)));
        pauseNanos(slot - now);
    }

    private static void pauseNanos(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
