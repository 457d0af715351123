package dev.semel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Attempt;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeCodec;
import dev.semel.OutcomeUnknownException;
import dev.semel.Semel;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.store.StoreUnavailableException;
import dev.semel.testkit.Fault;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.StoreCall;
import dev.semel.testkit.history.Effect;
import dev.semel.testkit.history.History;
import dev.semel.testkit.history.History.ClientAnswer;
import dev.semel.testkit.history.HistoryChecker;
import dev.semel.testkit.race.RaceTester;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many clients, two nodes, a store that fails, owners that pause and die: no guarantee is broken, whatever happens. */
class HistoryTest extends EngineFixture {

    private static final int CLIENTS = 6;
    private static final int REQUESTS = 200;
    private static final List<StoreCall> DISTURBED =
            List.of(StoreCall.CLAIM, StoreCall.SETTLE, StoreCall.RELEASE, StoreCall.ABANDON);

    private final History history = new History();
    private final List<Effect> ledger = Collections.synchronizedList(new ArrayList<>());
    private final List<FaultyStore> stores = List.of(FaultyStore.around(store), FaultyStore.around(store));
    private final List<Semel> nodes = stores.stream()
            .map(faulty -> engine(
                    faulty.store(),
                    builder -> builder.storeTimeout(Duration.ofMillis(100))
                            .patience(Duration.ofMillis(200), Duration.ofMillis(200))))
            .toList();

    @ParameterizedTest
    @EnumSource(
            value = Recovery.class,
            names = {"HOLD", "RE_EXECUTE"})
    void noGuaranteeIsBroken(Recovery recovery) {
        ExternalPolicy policy = Policy.external("charge")
                .recovery(recovery)
                .retention(Duration.ofDays(3650))
                .build();

        RaceTester.race(CLIENTS, client -> {
            Random random = new Random(client);
            for (int i = 0; i < REQUESTS; i++) {
                disturb(random, policy);
                request("client-" + client + "-" + i, keyOf(i, random), policy, random);
            }
            return null;
        });

        HistoryChecker.ofExternalEffects(recovery).assertHolds(history.events(), List.copyOf(ledger));
        assertThat(history.events())
                .extracting(History.Event::answer)
                .contains(ClientAnswer.EXECUTED, ClientAnswer.REPLAYED, ClientAnswer.IN_FLIGHT, ClientAnswer.MISMATCH);
    }

    /** All clients walk along the same keys, so that there are always a few that many of them want. */
    private static Key keyOf(int request, Random random) {
        return Key.of(random.nextBoolean() ? "shop" : "bank", "order-" + (request / 4 + random.nextInt(3)));
    }

    private void request(String name, Key key, ExternalPolicy policy, Random random) {
        Fingerprint body = random.nextInt(10) == 0 ? Fingerprint.of("another body") : BODY;
        int fate = random.nextInt(8);
        long pause = random.nextInt(1_000_000);
        history.invoke(name, key, body);
        try {
            history.ok(
                    name,
                    nodes.get(random.nextInt(2))
                            .operation(policy, OutcomeCodec.text())
                            .run(key, body, attempt -> run(name, attempt, fate, pause)));
        } catch (NotExecutedException e) {
            history.ok(name, ClientAnswer.NOT_APPLIED, null);
        } catch (OutcomeUnknownException e) {
            history.unknown(name);
        } catch (StoreUnavailableException e) {
            history.fail(name);
        }
    }

    private String run(String name, Attempt attempt, int fate, long pause) {
        if (fate == 0) {
            throw new NotExecutedException("no connection", null);
        }
        LockSupport.parkNanos(pause);
        ledger.add(new Effect(attempt.key(), name, attempt.number(), attempt.token()));
        LockSupport.parkNanos(pause);
        if (fate == 1) {
            throw new OutcomeUnknownException("the connection was lost", null);
        }
        return "receipt of " + name;
    }

    private void disturb(Random random, Policy policy) {
        int chance = random.nextInt(100);
        if (chance < 12) {
            StoreCall call = DISTURBED.get(random.nextInt(DISTURBED.size()));
            Fault fault = random.nextBoolean() ? Fault.FAILS_BEFORE : Fault.FAILS_AFTER;
            stores.get(random.nextInt(2)).next(call, chance == 0 ? Fault.NEVER_ANSWERS : fault);
        } else if (chance < 20) {
            clock.advance(policy.lease());
        }
    }
}
