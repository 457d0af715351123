package dev.semel.attack;

import dev.semel.attack.lab.GatewayProcess;
import dev.semel.attack.lab.Lab;
import java.io.IOException;
import java.util.List;

/** Options that a gateway must not start with. */
record RefusedStart(List<String> options) implements Script {

    RefusedStart(String... options) {
        this(List.of(options));
    }

    @Override
    public Verdict run(Lab lab, Effort effort) throws IOException, InterruptedException {
        try (GatewayProcess gateway = lab.tryToStart(options.toArray(String[]::new))) {
            String said = gateway.awaitStart();
            if (said.contains("ready after")) {
                return Verdict.failed("the gateway starts");
            }
            return gateway.refusedItsOptions()
                    ? Verdict.held("the gateway does not start: "
                            + said.lines().findFirst().orElse(""))
                    : Verdict.failed("the gateway neither starts nor refuses its options");
        }
    }
}
