package dev.semel.attack;

import dev.semel.attack.lab.GatewayProcess;
import dev.semel.attack.lab.Lab;
import java.io.IOException;

/**
 * Options that a gateway must not start with.
 *
 * @param options as on a command line, with spaces between them
 */
record RefusedStart(String options) implements Script {

    @Override
    public Verdict run(Lab lab, Effort effort) throws IOException, InterruptedException {
        try (GatewayProcess gateway = lab.tryToStart(options.split(" "))) {
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
