package dev.semel.torture.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.torture.server.Ledger;
import dev.semel.torture.service.ServiceRequest.Behaviour;
import dev.semel.torture.service.ServiceRequest.Operation;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ErasedScopeTest {

    private Ledger ledger;
    private ErasedScope scope;
    private Life life;
    private Story story;

    @BeforeEach
    void open() throws IOException {
        ledger = new Ledger();
        ledger.countRequestsBy(() -> 1);
        scope = new ErasedScope(ledger, Duration.ofMillis(50));
        Key key = Key.of(scope.name(), "HO-1");
        life = scope.first(key);
        story = new Story(Operation.HOLD, key, "body", 0, Behaviour.SUCCEED, false, life);
    }

    @AfterEach
    void close() throws IOException {
        ledger.close();
    }

    @Test
    void letsASettledKeyGoOnWhenItIsErased() throws Exception {
        life.begin();
        story.settled(Fingerprint.of("body"));
        life.end(true);
        assertThat(life.untilNext()).isZero();
        scope.await(story);
        assertThat(scope.poll()).isNull();

        assertThat(scope.erase(name -> true)).isTrue();

        assertThat(life.isOver()).isTrue();
        assertThat(life.begin()).isFalse();
        assertThat(scope.poll()).isEqualTo(story);
        Life next = life.next();
        assertThat(next.judged()).isEqualTo(Key.of("erin", "HO-1#1"));
        assertThat(next.begin()).isTrue();
    }

    @Test
    void sendsNothingWhileItIsErased() throws Exception {
        scope.erase(name -> {
            assertThat(life.begin()).isFalse();
            return true;
        });
    }

    @Test
    void isNotErasedWhileARequestIsUnderWay() throws Exception {
        life.begin();

        assertThat(scope.erase(name -> {
                    throw new AssertionError("erased");
                }))
                .isFalse();

        assertThat(life.isOver()).isFalse();
        assertThat(life.begin()).isTrue();
    }

    @Test
    void isNotUsedAgainAfterAnErasureThatFailed() throws Exception {
        life.begin();
        story.settled(Fingerprint.of("body"));
        life.end(true);
        scope.await(story);

        assertThat(scope.erase(name -> false)).isFalse();

        assertThat(life.isOver()).isTrue();
        assertThat(scope.poll()).isNull();
        assertThat(scope.name()).isEqualTo("erin-1");
    }

    @Test
    void doesNotGoOnWithAKeyOfWhichSomethingIsLeft() {
        life.begin();
        life.begin();
        story.settled(Fingerprint.of("body"));
        life.end(true);
        life.end(false);

        assertThat(life.untilNext()).isNull();
    }
}
