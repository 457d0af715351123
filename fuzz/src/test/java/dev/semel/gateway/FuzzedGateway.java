package dev.semel.gateway;

import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.Setting;
import dev.semel.gateway.config.Settings;
import dev.semel.memory.InMemoryKeyStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** A gateway on the loopback, and the service behind it. */
final class FuzzedGateway {

    static final String TOKEN = "a-token-for-fuzzing-0123456789abcdef";

    final StrictUpstream upstream;
    final Gateway gateway;

    FuzzedGateway(String retention) {
        try {
            upstream = new StrictUpstream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Settings settings = new Settings()
                .putOption(Setting.UPSTREAM, "http://127.0.0.1:" + upstream.port())
                .putOption(Setting.LISTEN, "127.0.0.1:0")
                .putOption(Setting.ADMIN, "127.0.0.1:0")
                .putOption(Setting.ADMIN_TOKEN, TOKEN)
                .putOption(Setting.EVENT_LOOPS, "1")
                .putOption(Setting.REQUIRE_KEY, "true")
                .putOption(Setting.LEASE, "1s")
                .putOption(Setting.RETENTION, retention)
                .putOption(Setting.AUDIT, "0s")
                .putOption(Setting.TOMBSTONE, "0s");
        gateway = Gateway.start("fuzz", GatewayConfig.of(settings, List.of()), InMemoryKeyStore.create());
    }
}
