package dev.semel.cli;

import dev.semel.demo.Demo;
import dev.semel.demo.Smoke;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code semel demo}: shows the gateway at work in front of a small payments service. */
@Command(
        name = "demo",
        description = "Starts a payments service, the gateway in front of it, and the console, on this machine only.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true)
final class DemoCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "The gateway's port; console and service take the next two (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--smoke",
            description = "Make the calls automatically, on free ports, and report whether all went well.")
    private boolean smoke;

    private DemoCommand() {}

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        if (smoke) {
            try (Demo demo = Demo.start(0)) {
                return new Smoke(demo).run(out) ? 0 : 1;
            }
        }
        CommandLine.Help.Ansi ansi = CommandLine.Help.Ansi.AUTO;
        Demo demo = Demo.start(port, out, text -> ansi.string(text));
        CountDownLatch stopped = new CountDownLatch(1);
        Shutdown.then(() -> {
            demo.close();
            stopped.countDown();
        });
        out.print(screen(demo));
        out.flush();
        demo.loseAnAnswer();
        stopped.await();
        return 0;
    }

    static String screen(Demo demo) {
        // In quotes, because some shells take a question mark for a pattern.
        String post = "curl -i '" + demo.gatewayUrl() + "/charges%s' \\%n     -H 'Idempotency-Key: %s'"
                + " -H 'Content-Type: application/json' \\%n     -d '{\"amount\": %d}'";
        String slow = String.format(post, "?delay=2000", "order-2", 100);
        String crash = String.format(post, "?crash=1", "order-3", 100);
        return String.format(
                """

                A payments service at %s charges a card for every request that reaches it.
                The gateway at %s sees to it that a retry does not.
                The console at %s shows what happens.

                Try, in another terminal:

                1. The first call is a charge (201):
                   %s

                2. The same call again is a replay (201, Idempotent-Replayed), and no second charge:
                   %s

                3. The same key for something else is refused (422):
                   %s

                4. Of two at the same time, one runs (201) and the other is asked to come back (409):
                   %s &
                   %s; wait

                5. The service dies after the charge, before its answer (502). The gateway does not guess: when the lease
                   has lapsed it asks the service what happened, and the retry gets the charge that was made (201):
                   %s; sleep 3
                   %s

                6. One transfer has lost its answer already, and its operation does not guess: find transfer-1 in the
                   console, press Resolve, and enter what happened to it. Then send it again:
                   %s

                All charges there are: curl %s/charges

                What each call does is printed here. Stop with Ctrl-C.

                """,
                demo.serviceUrl(),
                demo.gatewayUrl(),
                demo.consoleUrl(),
                String.format(post, "", "order-1", 100),
                String.format(post, "", "order-1", 100),
                String.format(post, "", "order-1", 999),
                slow,
                slow,
                crash,
                crash,
                String.format(post, "", "transfer-1", 250).replace("/charges", "/transfers?crash=1"),
                demo.serviceUrl());
    }
}
