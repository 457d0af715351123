package dev.semel.torture.load;

import dev.semel.Key;
import dev.semel.torture.plan.TorturePlan;
import dev.semel.torture.process.DaemonThreads;
import dev.semel.torture.server.Ledger;
import dev.semel.torture.server.Node;
import dev.semel.torture.service.ServiceReply.Kind;
import dev.semel.torture.service.ServiceRequest.Behaviour;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Clients: each tells one story after the other, with duplicates, retries, other bodies and other callers. */
public final class ClientLoad {

    private static final int COLD_RATE = 40;
    private static final int WARM = 3;
    private static final Duration WARM_UP = Duration.ofSeconds(20);

    /** A client whose operation does not succeed does not try forever. */
    private static final int MAX_REFUSALS = 5;

    private static final int SHORT_WORK = 12;

    /** How often a key that is forgotten is used again. */
    private static final int MAX_LIVES = 2;

    private static final String SOMETHING_ELSE = " and something else";

    private final TorturePlan plan;
    private final List<Node> nodes;
    private final Sender sender;
    private final List<Story> stories = new ArrayList<>();
    private final Set<Key> shortLived = new HashSet<>();
    private final Ledger ledger;

    /** Stories whose keys are to be forgotten before they go on. */
    private final DelayQueue<WaitingStory> waiting = new DelayQueue<>();

    private final List<Thread> clients = new ArrayList<>();
    private final AtomicLong numbers = new AtomicLong();

    private final AtomicLong nextSlot = new AtomicLong(System.nanoTime());
    private volatile boolean warm;
    private volatile boolean stopped;

    public ClientLoad(TorturePlan plan, List<Node> nodes, Sender sender, Ledger ledger) {
        this.ledger = ledger;
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

    public synchronized List<Story> stories() {
        return List.copyOf(stories);
    }

    private void tellStories(Random random) {
        while (!stopped) {
            WaitingStory due = waiting.poll();
            if (due == null) {
                tell(next(random), random);
            } else {
                goOn(due.story(), random);
            }
            for (int i = random.nextInt(3); i > 0; i--) {
                comeAgain(random);
            }
        }
    }

    private synchronized Story next(Random random) {
        List<Operation> operations = plan.operations();
        Operation operation = operations.get(random.nextInt(operations.size()));
        List<String> scopes = plan.scopes();
        String scope = scopes.get(random.nextInt(scopes.size()));
        // Every value is used by several callers, each for something of its own.
        long number = random.nextInt(3) == 0 ? Math.max(0, numbers.get() - 8) : numbers.incrementAndGet();
        Key key = key(operation, scope, number);
        // A key that is forgotten has one story, which knows in which of its lives it is.
        while (operation.forgets() && !shortLived.add(key)) {
            number = numbers.incrementAndGet();
            key = key(operation, scope, number);
        }
        Behaviour behaviour = behaviour(operation, plan.store().splitsOutcomes(), random);
        long work = behaviour == Behaviour.SUCCEED || behaviour == Behaviour.REFUSE_SOMETIMES
                ? work(random)
                : random.nextInt(SHORT_WORK);
        Life life = operation.forgets() ? Life.first(key, Life.Times.of(plan, operation, ledger)) : null;
        Story story = new Story(operation, key, scope + " orders " + number, work, behaviour, number % 2 == 0, life);
        stories.add(story);
        return story;
    }

    private static Key key(Operation operation, String scope, long number) {
        return Key.of(scope, operation.name().substring(0, 2) + "-" + number);
    }

    /** Mostly short; sometimes longer than a heartbeat, or than a lease. */
    private long work(Random random) {
        int dice = random.nextInt(200);
        if (dice > 6) {
            return random.nextInt(SHORT_WORK);
        }
        return dice > 1 ? plan.lease().toMillis() / 4 : plan.lease().toMillis();
    }

    private static Behaviour behaviour(Operation operation, boolean splitsOutcomes, Random random) {
        return switch (random.nextInt(40)) {
            // What is inside an order refuses; that says nothing about the order.
            case 0 -> operation == Operation.ORDER ? Behaviour.SUCCEED : Behaviour.REFUSE;
            case 1 -> Behaviour.THROW;
            case 2, 3, 4, 5, 6, 7, 8 -> operation.isTransactional() ? Behaviour.SUCCEED : Behaviour.STEP;
            case 9, 10, 11 -> operation == Operation.ORDER ? Behaviour.SUCCEED : Behaviour.REFUSE_SOMETIMES;
            // People decide on HOLD with a command line, which does not take a large outcome.
            case 12 -> splitsOutcomes && operation != Operation.HOLD ? Behaviour.LARGE : Behaviour.SUCCEED;
            default -> Behaviour.SUCCEED;
        };
    }

    private void tell(Story story, Random random) {
        int copies = random.nextInt(3) == 0 ? 2 + random.nextInt(3) : 1;
        List<CompletableFuture<Kind>> sent = new ArrayList<>();
        for (int i = 0; i < copies; i++) {
            pace();
            sent.add(sender.send(story, any(story, random), story.body()));
        }
        if (story.isStrict() && random.nextInt(10) == 0) {
            sent.add(sender.send(story, any(story, random), story.body() + SOMETHING_ELSE));
        }
        sent.forEach(CompletableFuture::join);
        retry(story, random, plan.lease().multipliedBy(plan.isSemel() ? 4 : 2));
        if (random.nextInt(3) == 0) {
            pace();
            sender.send(story, any(story, random), story.body()).join();
        }
        putAside(story);
    }

    /** Until its key is forgotten, if that is known to happen. */
    private void putAside(Story story) {
        Life life = story.life();
        Long left = life == null || life.number() == MAX_LIVES ? null : life.untilNext();
        if (left != null) {
            waiting.add(new WaitingStory(story, System.nanoTime() + left));
        }
    }

    /** Asks again for something whose key should be free by now, or should have a tombstone. */
    private void goOn(Story story, Random random) {
        Life life = Objects.requireNonNull(story.life());
        Long left = life.untilNext();
        if (left == null || left > 0) {
            // A request that came again is still under way, or had no answer.
            putAside(story);
            return;
        }
        story.liveOn(life.next());
        if (Objects.requireNonNull(story.life()).isTombstone()) {
            pace();
            sender.send(story, any(story, random), story.body()).join();
            putAside(story);
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
        Story old;
        synchronized (this) {
            old = stories.get(random.nextInt(stories.size()));
        }
        if (old.isOver()) {
            return;
        }
        pace();
        String body = old.isStrict() && random.nextInt(5) == 0 ? old.body() + SOMETHING_ELSE : old.body();
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
