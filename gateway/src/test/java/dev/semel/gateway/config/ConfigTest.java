package dev.semel.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.policy.Duplicates;
import dev.semel.policy.Recovery;
import java.io.StringReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigTest {

    private static GatewayConfig read(String yaml, String... options) {
        Settings settings = new Settings();
        for (String option : options) {
            String[] parts = option.split("=", 2);
            settings.putOption(Setting.find(parts[0]).orElseThrow(), parts[1]);
        }
        return GatewayConfig.of(
                settings,
                YamlFile.read("gateway.yaml", new StringReader(yaml), Map.of("SECRET", "s3cret")::get, settings));
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> complaintAbout(String yaml, String... options) {
        return assertThatThrownBy(() -> read(yaml, options)).isInstanceOf(ConfigException.class);
    }

    @Test
    void readsTheAddressesOfOtherGateways() {
        assertThat(read("upstream: http://a\n").peers()).isEmpty();
        assertThat(read("upstream: http://a\npeer: [\"http://10.0.0.12:8081/\", \"https://[2001:db8::1]\"]\n")
                        .peers())
                .extracting(Peer::toString)
                .containsExactly("http://10.0.0.12:8081", "https://[2001:db8::1]:443");
        complaintAbout("upstream: http://a\npeer: http://10.0.0.12:8081/ready\n")
                .hasMessage("peer: expected the admin address of a gateway, such as http://10.0.0.12:8081, got"
                        + " \"http://10.0.0.12:8081/ready\" (gateway.yaml, line 2)");
    }

    @Test
    void readsAFileWithRoutes() {
        GatewayConfig config = read("""
                upstream: https://orders.example/api
                lease: 1m
                methods: [POST]
                routes:
                  - path: /payments/**
                    operation: payments
                    recovery: re-execute
                    duplicates: wait
                    wait: 5s
                  - path: /search
                    protect: false
                """);

        assertThat(config.routes()).extracting(Route::operation).containsExactly("payments", "/search", "default");
        var payments = config.routes().get(0).rules().policy();
        assertThat(payments.recovery()).isEqualTo(Recovery.RE_EXECUTE);
        assertThat(payments.duplicates()).isEqualTo(Duplicates.waitFor(Duration.ofSeconds(5)));
        assertThat(payments.lease()).as("inherited").isEqualTo(Duration.ofMinutes(1));
        assertThat(config.routes().get(1).rules()).isNull();
        assertThat(config.routes().get(2).rules().guards("PATCH")).isFalse();
        assertThat(config.upstream().port()).isEqualTo(443);
        assertThat(config.upstream().basePath()).isEqualTo("/api");
    }

    @Test
    void letsTheCommandLineWin() {
        GatewayConfig config = read("upstream: http://a\ndrain: 1s\n", "drain=9s");

        assertThat(config.drain()).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void fillsInVariablesOfTheEnvironment() {
        assertThat(read("upstream: http://a\nadmin-token: ${SECRET}\n").admin().token())
                .isEqualTo("s3cret");
        complaintAbout("upstream: http://a\nadmin-token: ${OTHER}\n")
                .hasMessage("gateway.yaml, line 2: the environment variable OTHER is not set");
    }

    @Test
    void namesTheLineAndTheNearestNameOfAnUnknownSetting() {
        complaintAbout("upstream: http://a\n\nretension: 1h\n")
                .hasMessage(
                        "gateway.yaml, line 3: there is no setting \"retension\" here; did you mean \"retention\"?");
        complaintAbout("upstream: http://a\nroutes:\n  - path: /a\n    lisen: 1.2.3.4:5\n")
                .hasMessageStartingWith("gateway.yaml, line 4: there is no setting \"lisen\" here");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lease: 30 seconds      | lease: expected a duration such as 500ms, 30s, 5m, 24h or 7d, got \"30 seconds\" (gateway.yaml, line 2)",
                "max-body: big          | max-body: expected a size in bytes such as 65536, 64k, 10m or 1g, got \"big\" (gateway.yaml, line 2)",
                "recovery: retry        | recovery: expected one of hold, re-execute, reconcile, fail, got \"retry\" (gateway.yaml, line 2)",
                "recovery: reconcile    | recovery: reconcile needs a service to ask: set reconcile-url (gateway.yaml, line 2)",
                "require-key: maybe     | require-key: expected true or false, got \"maybe\" (gateway.yaml, line 2)",
                "listen: 8080           | listen: expected HOST:PORT such as 127.0.0.1:8080, got \"8080\" (gateway.yaml, line 2)",
                "max-queue: -1          | max-queue: must be at least 0, got \"-1\" (gateway.yaml, line 2)",
                "fields: [/a, -/b]      | fields: name either fields that count (/amount) or fields that do not (-/sentAt), not both, got [/a, -/b] (gateway.yaml, line 2)",
                "lease: 48h             | route default: lease PT48H of operation \"default\" must not be longer than its retention PT24H",
                "tls-cert: a.pem        | tls-cert and tls-key belong together: set both or neither",
                "upstream: http://b     | gateway.yaml, line 2: \"upstream\" is set twice",
                "routes: [{lease: 1s}]  | gateway.yaml, line 2: a route needs a path, for example \"path: /payments/**\"",
                "scope: jwt:sub         | scope: \"jwt:sub\" needs the keys that verify tokens: set --jwt-key FILE (gateway.yaml, line 2)",
                "scope: cookie          | scope: expected header:NAME, jwt:CLAIM, credential or single, got \"cookie\" (gateway.yaml, line 2)",
            })
    void saysWhatIsWrongAndWhere(String line, String complaint) {
        complaintAbout("upstream: http://a\n" + line + "\n").hasMessage(complaint);
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1:8080, 127.0.0.1:8080", "127.0.0.1:8080, localhost:8080", "127.0.0.1:8080, '[::]:8080'"})
    void refusesTheAdminAddressAtThatOfTheProxy(String listen, String admin) {
        complaintAbout("upstream: http://a\nlisten: \"" + listen + "\"\nadmin: \"" + admin + "\"\nadmin-token: x\n")
                .hasMessageContaining(
                        "the admin address " + admin + " and the address of the proxy, --listen " + listen)
                .hasMessageContaining("another port");
    }

    @Test
    void acceptsAnyFreePortForBothAddresses() {
        assertThat(read("upstream: http://a\nlisten: 127.0.0.1:0\nadmin: 127.0.0.1:0\n")
                        .admin())
                .isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"/**, /payments", "/payments/**, /payments/*/refund", "/a/*, /a/b", "/a, /a/", "/**, /**"})
    void refusesARouteThatAnEarlierOneShadows(String earlier, String later) {
        complaintAbout("upstream: http://a\nroutes:\n  - path: " + earlier + "\n    operation: first\n  - path: "
                        + later + "\n    operation: second\n")
                .hasMessageContaining("route " + later + " (operation \"second\") is never used")
                .hasMessageContaining("route " + earlier + " (operation \"first\")");
    }

    @ParameterizedTest
    @CsvSource({"/payments/*/refund, /payments/**", "/a/b, /a/*", "/a, /a/b", "/a/*, /a", "/a/**, /b/**"})
    void acceptsRoutesOfWhichEachTakesSomePaths(String earlier, String later) {
        assertThat(read("upstream: http://a\nroutes:\n  - path: " + earlier + "\n    operation: first\n  - path: "
                                + later + "\n    operation: second\n")
                        .routes())
                .hasSize(3);
    }

    @Test
    void needsAnUpstream() {
        complaintAbout("").hasMessage("upstream is missing: set it with --upstream URL, or in the file");
        complaintAbout("upstream: ftp://a").hasMessageContaining("expected an http or https URL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0:8080", "[::]:8080", "192.0.2.1:8080"})
    void refusesToListenToOthersUntilTheCallerIsKnown(String address) {
        complaintAbout("upstream: http://a\nlisten: \"" + address + "\"\n")
                .hasMessageContaining("scope is missing")
                .hasMessageContaining("header:NAME, jwt:CLAIM, credential, or single");

        assertThat(read("upstream: http://a\nlisten: \"" + address + "\"\nscope: single\n")
                        .scope())
                .isEqualTo(new ScopeRule.Single());
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:8080", "localhost:8080", "[::1]:8080"})
    void takesOneCallerForGrantedOnTheLoopback(String address) {
        assertThat(read("upstream: http://a\nlisten: \"" + address + "\"\n").scope())
                .isEqualTo(new ScopeRule.Single());
    }

    @ParameterizedTest
    @CsvSource({"scope: header:X-User, scope header:X-User", "'scope: single\ntrust-forwarded: true', trust-forwarded"})
    void believesNoHeaderOfOtherMachinesUntilTheProxiesAreKnown(String lines, String named) {
        String open = "upstream: http://a\nlisten: 0.0.0.0:8080\n" + lines + "\n";

        complaintAbout(open)
                .hasMessageContaining("trusted-proxies is missing: 0.0.0.0:8080 can be reached from other machines")
                .hasMessageContaining(named + " believes headers")
                .hasMessageContaining("--trusted-proxies")
                .hasMessageContaining("10.0.0.0/8");
        assertThat(read(open + "trusted-proxies: [10.0.0.0/8]\n").listen()).hasToString("0.0.0.0:8080");
        assertThat(read(open, "listen=127.0.0.1:8080").listen()).hasToString("127.0.0.1:8080");
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.1.2, true",
        "10.0.0.0/8, 11.0.0.1, false",
        "10.0.0.0/8, ::ffff:10.1.2.3, true",
        "10.128.0.0/9, 10.127.255.255, false",
        "10.128.0.0/9, 10.128.0.0, true",
        "10.1.2.3, 10.1.2.3, true",
        "10.1.2.3, 10.1.2.4, false",
        "0.0.0.0/0, 198.51.100.7, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "2001:db8::/32, 2001:db8:ffff::1, true",
        "2001:db8::/32, 2001:db9::1, false",
        "fe80::/10, fe80::1%eth0, true",
        "loopback, 127.8.9.10, true",
        "loopback, ::1, true",
        "loopback, 0:0:0:0:0:0:0:1, true",
        "loopback, 128.0.0.1, false",
        "10.0.0.0/8, proxy.example, false"
    })
    void knowsItsProxiesByTheirAddresses(String range, String address, boolean trusted) {
        assertThat(TrustedProxies.parse(List.of("192.0.2.1", range)).trusts(address))
                .isEqualTo(trusted);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "proxy.example | expected addresses such as 10.0.0.0/8, 2001:db8::/32, 10.1.2.3 or loopback, got \"proxy.example\"",
                "10.1/16       | expected addresses such as 10.0.0.0/8, 2001:db8::/32, 10.1.2.3 or loopback, got \"10.1/16\"",
                "10.0.0.0/33   | a prefix here has at most 32 bits, got \"10.0.0.0/33\"",
                "10.0.0.0/-1   | must be at least 0, got \"-1\"",
                "10.0.0.1/8    | write the first address of a range of /8, or /32 for one address, got \"10.0.0.1/8\"",
            })
    void saysWhatIsWrongWithAProxy(String range, String complaint) {
        complaintAbout("upstream: http://a\nscope: header:X-User\ntrusted-proxies: [\"" + range + "\"]\n")
                .hasMessage("trusted-proxies: " + complaint + " (gateway.yaml, line 3)");
    }

    @Test
    void warnsOfTokensThatWereIssuedForSomethingElse() {
        String jwt = "upstream: http://a\nscope: jwt:sub\njwt-key: keys.json\n";

        assertThat(read(jwt).warnings())
                .satisfiesExactly(
                        audience -> assertThat(audience).contains("jwt-audience is not set", "any other service"),
                        issuer -> assertThat(issuer).contains("jwt-issuer is not set", "keys.json"));
        assertThat(read(jwt + "jwt-audience: orders\njwt-issuer: https://id.example\n")
                        .warnings())
                .isEmpty();
    }

    @Test
    void warnsOfProxiesThatAreEverybody() {
        assertThat(read("upstream: http://a\nscope: header:X-User\ntrusted-proxies: [\"::/0\"]\n")
                        .warnings())
                .singleElement()
                .asString()
                .contains("trusted-proxies has every address in it");
        assertThat(read("upstream: http://a\n").warnings()).isEmpty();
        assertThat(read("upstream: http://a\nstore: \"memory:\"\n").warnings()).hasSize(1);
    }

    @Test
    void refusesAnAdminAddressForOthersWithoutAToken() {
        complaintAbout("upstream: http://a\nadmin: 0.0.0.0:8081\n")
                .hasMessageContaining("set --admin-token")
                .hasMessageContaining("gateway.yaml, line 2");

        assertThat(read("upstream: http://a\nadmin: \"off\"\n").admin()).isNull();
    }

    @Test
    void refusesAnAdminAddressForOthersWithoutTlsUnlessToldSo() {
        String open = "upstream: http://a\nadmin: 0.0.0.0:8081\nadmin-token: x\n";

        complaintAbout(open)
                .hasMessageContaining("0.0.0.0:8081 can be reached from other machines without TLS")
                .hasMessageContaining("--tls-cert and --tls-key")
                .hasMessageContaining("--admin-plain-http")
                .hasMessageContaining("gateway.yaml, line 2");
        Admin told = read(open + "admin-plain-http: true\n").admin();
        assertThat(told.token()).isEqualTo("x");
        assertThat(told.tls()).isNull();
        assertThat(told.link(8081)).isEqualTo("http://0.0.0.0:8081/");
        Admin encrypted = read(open + "tls-cert: c.pem\ntls-key: k.pem\n").admin();
        assertThat(encrypted.tls()).isNotNull();
        assertThat(encrypted.link(8081)).isEqualTo("https://0.0.0.0:8081/");
    }

    @Test
    void makesANewAdminTokenWhereNoneIsGiven() {
        Admin first = read("upstream: http://a\n").admin();
        Admin second = read("upstream: http://a\nadmin-token: \" \"\n").admin();

        assertThat(first.generated()).isTrue();
        assertThat(first.token()).hasSize(32).isNotEqualTo(second.token());
        assertThat(first.link(8081)).isEqualTo("http://127.0.0.1:8081/#token=" + first.token());
        assertThat(first.toString()).doesNotContain(first.token());
        assertThat(read("upstream: http://a\nadmin-token: sesame\n").admin().link(8081))
                .isEqualTo("http://127.0.0.1:8081/");
    }

    @ParameterizedTest
    @CsvSource({
        "/payments/**, /payments, true",
        "/payments/**, /payments/1/refund, true",
        "/payments/**, /paymentsx, false",
        "/payments/**, /%70ayments/1, true",
        "/payments/**, //payments//1, true",
        "/payments/**, /payments;a=b/1, true",
        "/payments/**, /payments/a%2Fb, true",
        "/orders/*/pay, /orders/7/pay, true",
        "/orders/*/pay, /orders/7/8/pay, false",
        "/orders/*/pay, /orders/7/pay/, true",
        "/**, /, true"
    })
    void matchesPathsAsServicesReadThem(String pattern, String path, boolean matches) {
        assertThat(PathReadings.of(path)).isNotEmpty();
        assertThat(PathReadings.of(path).stream().anyMatch(PathPattern.parse(pattern)::matches))
                .isEqualTo(matches);
    }

    @Test
    void wantsEachRouteToHaveAnOperationOfItsOwn() {
        complaintAbout("upstream: http://a\nroutes:\n  - path: /a\n    operation: x\n  - path: /b\n    operation: x\n")
                .hasMessageContaining("two routes have the operation \"x\"");
    }

    @Test
    void takesAListAlsoInOneWord() {
        var rules =
                read("upstream: http://a\nmethods: POST, PUT\n").routes().get(0).rules();

        assertThat(rules.guards("PUT")).isTrue();
        assertThat(rules.guards("PATCH")).isFalse();
        complaintAbout("upstream: http://a\nmethods: post\n")
                .hasMessageContaining("expected methods such as POST and PATCH, got \"post\"");
    }
}
