package dev.semel.cli;

import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.StoreUrls.OpenStore;
import dev.semel.jdbc.RestoreGuard;
import dev.semel.redis.RedisKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.util.CallerThread;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code semel keys acknowledge-loss}: lets a store that has lost keys accept claims again. */
@Command(
        name = "acknowledge-loss",
        description = "Lets a store accept claims again after Redis has lost keys, or after a database was restored"
                + " from an older copy. An operation whose key was lost runs again when it is retried:"
                + " use this command when that can no longer happen, or does no harm.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class AcknowledgeLossCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--store",
            required = true,
            paramLabel = "URL",
            defaultValue = "${env:SEMEL_STORE}",
            description = "The store, as for semel serve. Default: the environment variable SEMEL_STORE.")
    private String url;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    private AcknowledgeLossCommand() {}

    @Override
    public Integer call() throws Exception {
        try (OpenStore store = StoreUrls.openGuarded(url)) {
            RedisKeyStore redis =
                    KeyStore.capability(store.keys(), RedisKeyStore.class).orElse(null);
            RestoreGuard restored =
                    KeyStore.capability(store.keys(), RestoreGuard.class).orElse(null);
            if (redis == null && restored == null) {
                throw new ParameterException(
                        spec.commandLine(),
                        "the store " + StoreUrls.redacted(url)
                                + " does not notice losses, and has none to acknowledge");
            }
            return acknowledge(redis, restored);
        }
    }

    private int acknowledge(@Nullable RedisKeyStore redis, @Nullable RestoreGuard restored) throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        restored = restored == null || restored.loss().isEmpty() ? null : restored;
        if (redis == null && restored == null) {
            out.println("nothing was lost: the database was not restored from an older copy");
            out.flush();
            return 0;
        }
        if (!yes && !KeysCommand.confirmed(out, "operations whose keys were lost can run again; go on?")) {
            return 1;
        }
        if (redis != null) {
            int lost = CallerThread.await(redis.acknowledgeLoss());
            out.println("acknowledged: " + lost + " of the store's buckets had lost something");
        } else if (restored != null) {
            restored.acknowledgeLoss();
            out.println("acknowledged: the database was restored from an older copy, and nodes accept claims again");
        }
        out.flush();
        return 0;
    }
}
