package dev.semel.testkit.model;

import dev.semel.memory.InMemoryKeyStore;
import dev.semel.testkit.SettableClock;
import dev.semel.testkit.life.Step;
import dev.semel.testkit.life.Stories;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The in-memory store answers as the model does, for any calls in any order. */
class InMemoryStoreModelTest {

    @Property(tries = 5000)
    void answersAsTheModelDoes(@ForAll("stories") List<Step> story) {
        SettableClock clock = SettableClock.at(Instant.EPOCH);
        var machine = new StoreMachine<>(InMemoryKeyStore.builder().clock(clock).build(), clock);

        story.forEach(machine::perform);
    }

    @Provide
    Arbitrary<List<Step>> stories() {
        return Stories.any(StoreMachine.KEYS);
    }
}
