package dev.semel.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.attack.lab.Lab;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The gateway withstands every attack. */
class AttackTest {

    /** Short, and without a judgement of throughput: builds share their machine. */
    private static final Effort SHORT = new Effort(100, 100, 200, 0);

    private static Lab lab;

    @BeforeAll
    static void start() throws Exception {
        lab = Lab.own();
    }

    @AfterAll
    static void stop() throws Exception {
        lab.close();
    }

    @ParameterizedTest
    @EnumSource
    void theGatewayWithstandsEveryAttackOfAGroup(Group group) throws Exception {
        StringWriter lines = new StringWriter();
        List<Attack> attacks =
                Attack.all().stream().filter(attack -> attack.group() == group).toList();
        Report report = new Report(new PrintWriter(lines), attacks.size(), false);

        new AttackRun(lab, SHORT).run(attacks, report);

        assertThat(lines.toString().lines().filter(line -> !line.startsWith("ok ")))
                .isEmpty();
        assertThat(report.json()).contains("\"attack." + group + ".attacks\": " + attacks.size());
    }

    @Test
    void thereAreSixtyAttacksInFiveGroupsAndNoTwoOfOneName() {
        List<Attack> all = Attack.all();

        assertThat(all).hasSizeGreaterThanOrEqualTo(60);
        assertThat(all.stream().map(Attack::group).distinct()).containsExactlyInAnyOrder(Group.values());
        assertThat(all.stream().map(Attack::name)).doesNotHaveDuplicates();
    }
}
