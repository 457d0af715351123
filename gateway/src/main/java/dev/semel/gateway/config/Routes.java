package dev.semel.gateway.config;

import dev.semel.http.Fields;
import dev.semel.http.HttpRules;
import dev.semel.policy.Duplicates;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.policy.Retention;
import dev.semel.policy.WhenStoreIsDown;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes a route from settings. */
final class Routes {

    private enum WhenInFlight {
        REJECT,
        WAIT,
        ACCEPTED
    }

    private Routes() {}

    static Route of(PathPattern path, String operation, Settings settings) {
        Optional<URI> reconcileUrl = settings.optional(Setting.RECONCILE_URL, Parse::url);
        return new Route(
                path,
                operation,
                settings.get(Setting.PROTECT, Parse::bool) ? rules(operation, settings, reconcileUrl) : null,
                settings.get(Setting.TIMEOUT, Parse::positiveDuration),
                reconcileUrl.orElse(null));
    }

    private static HttpRules rules(String operation, Settings settings, Optional<URI> reconcileUrl) {
        Duration wait = settings.get(Setting.WAIT, Parse::positiveDuration);
        HttpRules.Builder rules = HttpRules.builder(policy(operation, settings, reconcileUrl, wait))
                .methods(settings.list(Setting.METHODS, Routes::methods))
                .keyRequired(settings.get(Setting.REQUIRE_KEY, Parse::bool))
                .headerName(settings.get(Setting.KEY_HEADER, Routes::headerName))
                .strictHeader(settings.get(Setting.STRICT_KEY, Parse::bool))
                .fields(settings.list(Setting.FIELDS, Routes::fields))
                // Not in the scope: a retry under another name of the same service must not run a second time.
                .comparesHost(settings.get(Setting.PRESERVE_HOST, Parse::bool))
                .maxRequestBody(settings.get(Setting.MAX_BODY, Parse::intSize))
                .maxPreferredWait(wait)
                .refusedStatuses(settings.list(Setting.NOT_EXECUTED_STATUSES, Routes::statuses))
                .refusalRetention(settings.get(Setting.RETENTION_OF_REFUSED, Parse::positiveDuration))
                .publishExpiry(settings.get(Setting.PUBLISH_EXPIRY, Parse::bool));
        settings.optional(Setting.DOCUMENTATION, Parse::url).ifPresent(rules::documentation);
        return rules.build();
    }

    private static Policy policy(String operation, Settings settings, Optional<URI> reconcileUrl, Duration wait) {
        Recovery recovery = settings.get(Setting.RECOVERY, text -> Parse.choice(Recovery.class, text));
        if (recovery == Recovery.RECONCILE && reconcileUrl.isEmpty()) {
            throw settings.complaint(Setting.RECOVERY, "reconcile needs somebody to ask: set reconcile-url");
        }
        try {
            return Policy.external(operation)
                    .lease(settings.get(Setting.LEASE, Parse::positiveDuration))
                    .retention(retention(settings))
                    .recovery(recovery)
                    .duplicates(duplicates(settings, wait))
                    .whenStoreIsDown(
                            settings.get(Setting.STORE_DOWN, text -> Parse.choice(WhenStoreIsDown.class, text)))
                    .maxPayload(settings.get(Setting.MAX_RESPONSE, Parse::intSize))
                    .build();
        } catch (IllegalArgumentException e) {
            throw new ConfigException("route " + operation + ": " + e.getMessage(), e);
        }
    }

    private static Retention retention(Settings settings) {
        return new Retention(
                settings.get(Setting.RETENTION, Parse::positiveDuration),
                settings.get(Setting.AUDIT, Parse::duration),
                settings.get(Setting.TOMBSTONE, Parse::duration));
    }

    private static Duplicates duplicates(Settings settings, Duration wait) {
        return switch (settings.get(Setting.DUPLICATES, text -> Parse.choice(WhenInFlight.class, text))) {
            case REJECT -> Duplicates.reject();
            case WAIT -> Duplicates.waitFor(wait);
            case ACCEPTED -> Duplicates.accepted();
        };
    }

    private static String[] methods(List<String> texts) {
        for (String text : texts) {
            if (!text.matches("[A-Z]+")) {
                throw new IllegalArgumentException("expected methods such as POST and PATCH, got \"" + text + "\"");
            }
        }
        return texts.stream().distinct().toArray(String[]::new);
    }

    private static String headerName(String text) {
        if (!ScopeRule.TOKEN.matcher(text).matches()) {
            throw new IllegalArgumentException("expected the name of a header, got \"" + text + "\"");
        }
        return text;
    }

    private static Integer[] statuses(List<String> texts) {
        return texts.stream().map(text -> Parse.number(text, 400)).distinct().toArray(Integer[]::new);
    }

    private static @Nullable String ignored(String pointer) {
        return pointer.startsWith("-") ? pointer.substring(1) : null;
    }

    private static Fields fields(List<String> pointers) {
        if (pointers.isEmpty()) {
            return Fields.all();
        }
        long ignored =
                pointers.stream().filter(pointer -> ignored(pointer) != null).count();
        if (ignored == 0) {
            return Fields.only(pointers.toArray(String[]::new));
        }
        if (ignored < pointers.size()) {
            throw new IllegalArgumentException("name either fields that count (/amount) or fields that do not"
                    + " (-/sentAt), not both, got " + pointers);
        }
        return Fields.allBut(pointers.stream().map(Routes::ignored).toArray(String[]::new));
    }
}
