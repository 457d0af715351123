package dev.semel.bench.stores;

import dev.semel.bench.measure.MeasurementPlan;
import dev.semel.bench.measure.Payload;
import dev.semel.bench.measure.Report;
import dev.semel.bench.server.ServerProcess;
import dev.semel.etcd.EtcdKeyStore;
import dev.semel.testservers.EtcdCluster;
import dev.semel.testservers.TempDirectory;
import dev.semel.testservers.TestPorts;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;

/** The store in etcd against one transaction that creates a key, and one that replaces it. */
final class EtcdBench {

    private EtcdBench() {}

    static void run(MeasurementPlan plan, Report report) throws Exception {
        if (!EtcdCluster.isInstalled()) {
            report.text("etcd is not measured: " + EtcdCluster.MISSING);
            return;
        }
        int port = TestPorts.free();
        String url = "http://127.0.0.1:" + port;
        String peer = "http://127.0.0.1:" + TestPorts.free();
        try (TempDirectory directory = TempDirectory.create("etcd");
                ServerProcess server = ServerProcess.start(
                        directory.path().resolve("log"),
                        port,
                        "etcd",
                        "--data-dir=" + directory.path().resolve("data"),
                        "--listen-client-urls=" + url,
                        "--advertise-client-urls=" + url,
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=default=" + peer,
                        "--log-level=error");
                Client client = Client.builder().endpoints(url).build();
                EtcdKeyStore store = EtcdKeyStore.connect("etcd://127.0.0.1:" + server.port())) {
            StoreComparison comparison = new StoreComparison("etcd", 64, plan, report);
            comparison.run(
                    "raw",
                    "create, replace, 64 in flight",
                    comparison.inFlight(key -> createAndReplace(client.getKVClient(), key)),
                    comparison.cycles(store));
        }
    }

    private static CompletionStage<?> createAndReplace(KV kv, String key) {
        return put(kv, key, 0, "")
                .thenCompose(created -> put(kv, key, created.getHeader().getRevision(), Payload.of(key)))
                .thenAccept(replaced -> {
                    if (!replaced.isSucceeded()) {
                        throw new IllegalStateException("another caller has written " + key);
                    }
                });
    }

    private static CompletionStage<TxnResponse> put(KV kv, String key, long revision, String value) {
        ByteSequence name = bytes("raw/" + key);
        return kv.txn()
                .If(new Cmp(name, Cmp.Op.EQUAL, CmpTarget.modRevision(revision)))
                .Then(Op.put(name, bytes(value), PutOption.DEFAULT))
                .commit();
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }
}
