package dev.semel.cli;

import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.StoreUrls.OpenStore;
import dev.semel.gateway.files.SecretFile;
import dev.semel.sealing.LocalMasterKeys;
import dev.semel.sealing.Sealing;
import dev.semel.spi.Inspecting;
import dev.semel.spi.KeyRecord;
import dev.semel.spi.KeyStore;
import dev.semel.util.CallerThread;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of all {@code semel keys} commands. */
final class KeysOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--store",
            paramLabel = "URL",
            defaultValue = "${env:SEMEL_STORE}",
            description = "The store, as for semel serve. Default: the environment variable SEMEL_STORE.")
    private @Nullable String store;

    @Option(
            names = "--gateway",
            paramLabel = "URL",
            description = "The address of a gateway's console, instead of its store: for list, show, stats, resolve,"
                    + " release, export and import. Its token comes from the environment variable SEMEL_ADMIN_TOKEN.")
    private @Nullable String gateway;

    @Option(names = "--compress", description = "Stored responses may be compressed; as for semel serve.")
    private boolean compress;

    @Option(
            names = "--seal-keys",
            paramLabel = "FILE",
            description = "The master keys, if stored responses are encrypted; as for semel serve. Without them"
                    + " responses are shown as they are stored.")
    private @Nullable Path sealKeys;

    @Option(names = "--json", description = "Print JSON, one object per line.")
    private boolean json;

    /** Runs the work with the keys of the gateway that was named, or else of the store. */
    int withMany(BulkDecision.Work work) throws Exception {
        RemoteKeys remote = remote();
        return remote != null
                ? work.with(remote, remote.now())
                : run((store, keys) -> work.with(BulkDecision.Target.of(keys), CallerThread.await(store.now())));
    }

    /** Work with a store. */
    @FunctionalInterface
    interface Work {
        int with(Inspecting store, KeyStore keys) throws Exception;
    }

    /** The gateway that was named instead of a store; {@code null} if none was. */
    @Nullable
    RemoteKeys remote() {
        return gateway == null ? null : new RemoteKeys(gateway, System.getenv(RemoteKeys.TOKEN));
    }

    String url() {
        if (gateway != null) {
            throw new ParameterException(spec.commandLine(), "this command needs --store URL, and not --gateway");
        }
        if (store == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "which keys? Name their store with --store URL or SEMEL_STORE, or their gateway with --gateway"
                            + " URL");
        }
        return store;
    }

    /** The store, without its password. */
    String storeName() {
        return StoreUrls.redacted(url());
    }

    int run(Work work) throws Exception {
        String url = url();
        if (url.equals("memory:")) {
            throw new ParameterException(
                    spec.commandLine(), "an in-memory store is inside the gateway's process; use its console");
        }
        try (OpenStore opened = StoreUrls.openExisting(url, sealing())) {
            KeyStore keys = opened.keys();
            Inspecting inspecting = KeyStore.capability(keys, Inspecting.class)
                    .orElseThrow(() -> new ParameterException(
                            spec.commandLine(), "the store " + StoreUrls.redacted(url) + " cannot list keys"));
            return work.with(inspecting, keys);
        }
    }

    private @Nullable Sealing sealing() throws IOException {
        if (sealKeys != null) {
            try {
                return Sealing.compressingAndEncrypting(LocalMasterKeys.read(SecretFile.require(sealKeys)));
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), "--seal-keys: " + e.getMessage(), e);
            }
        }
        return compress ? Sealing.compressing() : null;
    }

    /** For a command line that has not been parsed. */
    void belongTo(CommandSpec command) {
        spec = command;
    }

    boolean isJson() {
        return json;
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    void printHead() {
        if (!json) {
            KeyLines.printHead(out());
        }
    }

    void print(JsonObject each) {
        if (json) {
            out().println(each.encode());
        } else {
            KeyLines.print(out(), each);
        }
    }

    /** Prints the last line, and ends with this exit code. */
    int end(int code, String line) {
        out().println(line);
        out().flush();
        return code;
    }

    /** Prints a JSON object as it was asked for, and ends. */
    int end(JsonObject object) {
        return end(0, json ? object.encode() : object.encodePrettily());
    }

    /** The key with this digest, or the only one whose digest begins so. */
    KeyRecord find(Inspecting keys, String digest) throws NoSuchKeyException {
        try {
            return new KeyFinder(keys).find(digest);
        } catch (NoSuchKeyException e) {
            throw new NoSuchKeyException(e.getMessage() + " in " + StoreUrls.redacted(url()));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
