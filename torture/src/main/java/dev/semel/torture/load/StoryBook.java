package dev.semel.torture.load;

import dev.semel.Key;
import dev.semel.torture.plan.FaultKind;
import dev.semel.torture.plan.TorturePlan;
import dev.semel.torture.server.Ledger;
import dev.semel.torture.service.ServiceRequest.Behaviour;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** All stories of a run: it thinks of new ones, and keeps those whose keys are to be forgotten before they go on. */
final class StoryBook {

    private static final int SHORT_WORK = 12;

    /** How often a key that is forgotten is used again. */
    private static final int MAX_LIVES = 2;

    /** Operations that say nothing of another key, which would be erased too. */
    private static final Set<Operation> ERASABLE =
            EnumSet.of(Operation.HOLD, Operation.REDO, Operation.TRANSACTION, Operation.SINGLE);

    /** Every so many stories of these is in the scope that is erased. */
    private static final int ERASED = 5;

    private final TorturePlan plan;
    private final Ledger ledger;
    private final @Nullable ErasedScope erased;
    private final List<Story> stories = new ArrayList<>();
    private final Set<Key> forgotten = new HashSet<>();
    private final DelayQueue<Waiting> waiting = new DelayQueue<>();
    private long lastNumber;

    StoryBook(TorturePlan plan, Ledger ledger) {
        this.plan = plan;
        this.ledger = ledger;
        // No client waits for longer than four leases.
        this.erased = plan.isSemel() && plan.faults().contains(FaultKind.ERASURE)
                ? new ErasedScope(ledger, plan.lease().multipliedBy(5))
                : null;
    }

    /** The scope that is erased; {@code null} if none is. */
    @Nullable
    ErasedScope erased() {
        return erased;
    }

    synchronized List<Story> all() {
        return List.copyOf(stories);
    }

    /** One of those that exist. */
    synchronized Story old(Random random) {
        return stories.get(random.nextInt(stories.size()));
    }

    synchronized Story next(Random random) {
        List<Operation> operations = plan.operations();
        Operation operation = operations.get(random.nextInt(operations.size()));
        ErasedScope erasing = ERASABLE.contains(operation) && random.nextInt(ERASED) == 0 ? erased : null;
        List<String> scopes = plan.scopes();
        String scope = erasing == null ? scopes.get(random.nextInt(scopes.size())) : erasing.name();
        // Every value is used by several callers, each for something of its own.
        long number = random.nextInt(3) == 0 ? Math.max(0, lastNumber - 8) : ++lastNumber;
        if ((erasing != null || operation.forgets()) && !forgotten.add(key(operation, scope, number))) {
            // Two stories would not agree on the lives of one key.
            number = ++lastNumber;
            forgotten.add(key(operation, scope, number));
        }
        Key key = key(operation, scope, number);
        Behaviour behaviour = behaviour(operation, random);
        long work = behaviour == Behaviour.SUCCEED || behaviour == Behaviour.REFUSE_SOMETIMES
                ? work(random)
                : random.nextInt(SHORT_WORK);
        Life life = erasing == null ? expiring(operation, key) : erasing.first(key);
        Story story = new Story(operation, key, scope + " orders " + number, work, behaviour, number % 2 == 0, life);
        stories.add(story);
        return story;
    }

    private static Key key(Operation operation, String scope, long number) {
        return Key.of(scope, operation.name().substring(0, 2) + "-" + number);
    }

    private @Nullable Life expiring(Operation operation, Key key) {
        return operation.forgets() ? ExpiringLife.first(key, ExpiringLife.Times.of(plan, operation, ledger)) : null;
    }

    /** Mostly short; sometimes longer than a heartbeat, or than a lease. */
    private long work(Random random) {
        int dice = random.nextInt(200);
        if (dice > 6) {
            return random.nextInt(SHORT_WORK);
        }
        return dice > 1 ? plan.lease().toMillis() / 4 : plan.lease().toMillis();
    }

    private Behaviour behaviour(Operation operation, Random random) {
        return switch (random.nextInt(40)) {
            // What is inside an order refuses; that says nothing about the order.
            case 0 -> operation == Operation.ORDER ? Behaviour.SUCCEED : Behaviour.REFUSE;
            case 1 -> Behaviour.THROW;
            case 2, 3, 4, 5, 6, 7, 8 -> operation.isTransactional() ? Behaviour.SUCCEED : Behaviour.STEP;
            case 9, 10, 11 -> operation == Operation.ORDER ? Behaviour.SUCCEED : Behaviour.REFUSE_SOMETIMES;
            case 12 -> special(operation);
            default -> Behaviour.SUCCEED;
        };
    }

    /** What only some operations do through some doors and in some stores. */
    private Behaviour special(Operation operation) {
        // People decide on HOLD with a command line, which does not take a large outcome.
        if (operation == Operation.HOLD) {
            return plan.door().hasNestedOperations() ? Behaviour.DENIED_INSIDE : Behaviour.SUCCEED;
        }
        return plan.store().splitsOutcomes() ? Behaviour.LARGE : Behaviour.SUCCEED;
    }

    /** Keeps the story until its key is forgotten, if that is known to happen. */
    void putAside(Story story) {
        Life life = story.life();
        Long left = life == null || life.number() == MAX_LIVES ? null : life.untilNext();
        if (left == null) {
            return;
        }
        if (Objects.requireNonNull(life).endsByDecision()) {
            Objects.requireNonNull(erased).await(story);
        } else {
            waiting.add(new Waiting(story, System.nanoTime() + left));
        }
    }

    /** A story that goes on in another life of its key; {@code null} if there is none. */
    @Nullable
    Story due() {
        Waiting due = waiting.poll();
        if (due != null) {
            return due.story();
        }
        return erased == null ? null : erased.poll();
    }

    /** A story that goes on at this moment. */
    private record Waiting(Story story, long due) implements Delayed {

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }
}
