package dev.semel.engine.histories;

import dev.semel.Semel;
import dev.semel.policy.Policy;
import dev.semel.policy.Reconciler;
import dev.semel.policy.Recovery;
import dev.semel.testkit.FaultyStore;
import java.time.Duration;

/** One process of the application. */
final class Node {

    private static final Duration STORE_TIMEOUT = Duration.ofMillis(60);
    private static final Duration PATIENCE = Duration.ofMillis(150);

    final Release release;
    final FaultyStore faulty;
    final GatedExecutor gate = new GatedExecutor();
    final Semel semel;
    volatile boolean dead;
    volatile boolean disturbed;

    Node(Release release, ShakyStore store, Reconciler reconciler) {
        this.release = release;
        this.faulty = FaultyStore.around(store.store());
        Policy charge = release.policy(Release.Kind.CHARGE);
        boolean late = release.flaw() == EngineFlaw.STARTS_LONG_AFTER_THE_LEASE_WAS_CHECKED;
        this.semel = Semel.builder(faulty.store())
                .storeTimeout(STORE_TIMEOUT)
                .patience(PATIENCE, PATIENCE)
                .maintenanceInterval(Duration.ZERO)
                .shutdownGrace(Duration.ofMillis(10))
                .executor(late ? GatedExecutor.THREADS : gate)
                .policy(charge)
                .reconciler(charge.operation(), reconciler)
                .build();
    }

    /** The maintenance of a process that was given another policy under the name of an operation. */
    static Semel misled(Release release, ShakyStore store) {
        return Semel.builder(store.store())
                .maintenanceInterval(Duration.ZERO)
                .shutdownGrace(Duration.ofMillis(10))
                .policy(release.policy(Release.Kind.CHARGE).toBuilder()
                        .recovery(Recovery.FAIL)
                        .build())
                .build();
    }

    void heal() {
        faulty.heal();
        gate.open();
        disturbed = false;
    }

    void kill() {
        dead = true;
        semel.close();
    }
}
