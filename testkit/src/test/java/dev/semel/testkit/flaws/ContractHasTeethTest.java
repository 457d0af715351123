package dev.semel.testkit.flaws;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.testkit.engine.EngineTestKit;

/** For every condition that a store forgets, a test of the contract fails, and its name says which one. */
class ContractHasTeethTest {

    @ParameterizedTest
    @EnumSource
    void theContractNoticesEachFlaw(Flaw flaw) {
        Flawed.flaw = flaw;

        EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(Flawed.class, flaw.noticedBy))
                .execute()
                .testEvents()
                .assertStatistics(stats -> stats.started(1).failed(1));
    }

    /** Its name keeps it from being run for itself. */
    static class Flawed extends SketchStoreContractTest {

        private static Flaw flaw;

        @Override
        Flaw flaw() {
            return flaw;
        }
    }
}
