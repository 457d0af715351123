package dev.semel.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.attack.lab.CountingUpstream;
import dev.semel.attack.lab.Lab;
import dev.semel.attack.lab.Profile;
import dev.semel.attack.lab.Target;
import java.net.InetAddress;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every attack with bytes succeeds against a proxy that lacks the gateway's checks. */
class TeethTest {

    /** Harmless without a check: nothing is shared between callers here, and the service ignores trailers. */
    private static final Set<String> HARMLESS_HERE =
            Set.of("key-of-another", "late-body-after-head", "trailer-fields", "upgrade-with-a-body");

    private static CountingUpstream upstream;
    private static NaiveProxy proxy;
    private static Lab lab;

    @BeforeAll
    static void start() throws Exception {
        upstream = new CountingUpstream(0);
        proxy = new NaiveProxy(upstream.port());
        lab = Lab.of(new Target(InetAddress.getLoopbackAddress(), proxy.port(), false, 0, false, ""), upstream);
    }

    @AfterAll
    static void stop() throws Exception {
        proxy.close();
        lab.close();
    }

    static Stream<Attack> attacks() {
        return Attack.all().stream()
                .filter(attack -> attack.script() instanceof ByteAttack)
                .filter(attack -> attack.profile() == Profile.PLAIN && attack.group() != Group.ADMIN)
                .filter(attack -> !HARMLESS_HERE.contains(attack.name()));
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void anAttackSucceedsWhereNothingIsChecked(Attack attack) throws Exception {
        Verdict verdict = attack.script().run(lab, Effort.QUICK);

        assertThat(verdict.held()).as(verdict.seen()).isFalse();
    }
}
