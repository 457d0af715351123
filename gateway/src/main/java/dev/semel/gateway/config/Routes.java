package dev.semel.gateway.config;

import dev.semel.gateway.files.SecretFile;
import dev.semel.http.Fields;
import dev.semel.http.HttpRules;
import dev.semel.http.KeySource;
import dev.semel.http.dialect.Dialect;
import dev.semel.http.key.KeyCheck;
import dev.semel.http.stored.Redaction;
import dev.semel.policy.Duplicates;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;
import dev.semel.policy.Retention;
import dev.semel.policy.WhenStoreIsDown;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creates a route from settings. */
final class Routes {

    private enum WhenInFlight {
        REJECT,
        WAIT,
        ACCEPTED
    }

    private Routes() {}

    /** @param digestKeys the keys for hashes of bodies; {@code null} if there are none */
    static Route of(PathPattern path, String operation, Settings settings, @Nullable DigestKeys digestKeys) {
        Optional<URI> reconcileUrl = settings.optional(Setting.RECONCILE_URL, Parse::url);
        Dialect dialect = dialect(settings);
        return new Route(
                path,
                operation,
                dialect,
                settings.get(Setting.PROTECT, Parse::bool)
                        ? rules(operation, settings, dialect, reconcileUrl, digestKeys)
                        : null,
                settings.get(Setting.TIMEOUT, Parse::positiveDuration),
                reconcileUrl.orElse(null),
                settings.list(Setting.KEY_FROM, texts -> texts.stream().anyMatch(text -> text.startsWith("path:"))));
    }

    private static Dialect dialect(Settings settings) {
        Dialect named = settings.get(Setting.DIALECT, Dialect::named);
        return settings.optional(Setting.PROBLEM_PAGES, Parse::url)
                .map(url ->
                        Dialect.builder(named.name(), named).problemPages(url).build())
                .orElse(named);
    }

    private static HttpRules rules(
            String operation,
            Settings settings,
            Dialect dialect,
            Optional<URI> reconcileUrl,
            @Nullable DigestKeys digestKeys) {
        Fields fields = settings.list(Setting.FIELDS, Routes::fields);
        Duration wait = settings.get(Setting.WAIT, Parse::positiveDuration);
        HttpRules.Builder rules = HttpRules.builder(policy(operation, settings, dialect, reconcileUrl, wait))
                .dialect(dialect)
                .keyRequired(settings.optional(Setting.REQUIRE_KEY, Parse::bool)
                        .orElse(Boolean.TRUE.equals(dialect.keyRequired())))
                .keyCheck(keyCheck(settings, dialect))
                .strictHeader(settings.get(Setting.STRICT_KEY, Parse::bool))
                .fields(fields)
                // Not in the scope: a retry under another name of the same service must not run a second time.
                .comparesHost(settings.get(Setting.PRESERVE_HOST, Parse::bool))
                .maxRequestBody(settings.get(Setting.MAX_BODY, Parse::intSize))
                .maxPreferredWait(wait)
                .respondAsync(settings.get(Setting.RESPOND_ASYNC, Parse::bool))
                .shadow(settings.get(Setting.SHADOW, Parse::bool))
                .refusedStatuses(settings.list(Setting.NOT_EXECUTED_STATUSES, Routes::statuses))
                .refusalRetention(settings.get(Setting.RETENTION_OF_REFUSED, Parse::positiveDuration));
        settings.optional(Setting.PUBLISH_EXPIRY, Parse::bool).ifPresent(rules::publishExpiry);
        if (settings.isGiven(Setting.KEY_FROM)) {
            rules.keySource(keySource(settings, fields, digestKeys));
        }
        settings.optional(Setting.SIGNATURE_SECRETS, Routes::secrets).ifPresent(rules::signatureSecrets);
        if (settings.isGiven(Setting.METHODS)) {
            rules.methods(settings.list(Setting.METHODS, Routes::methods));
        }
        settings.optional(Setting.KEY_HEADER, Routes::headerName).ifPresent(rules::headerName);
        settings.optional(Setting.DOCUMENTATION, Parse::url).ifPresent(rules::documentation);
        rules.neverStored(settings.list(Setting.NEVER_STORE, parts -> Redaction.of(parts.toArray(String[]::new))));
        settings.optional(Setting.REPLAY_CHECK_URL, Parse::url)
                .ifPresent(url -> rules.replayHook(new ReplayCheck(url)));
        try {
            return rules.build();
        } catch (IllegalArgumentException e) {
            throw new ConfigException("route " + operation + ": " + e.getMessage(), e);
        }
    }

    private static KeyCheck keyCheck(Settings settings, Dialect dialect) {
        KeyCheck check = settings.optional(Setting.KEY_FORMAT, KeyCheck::of)
                .orElseGet(dialect::keyCheck)
                .withTolerance(settings.get(Setting.CLOCK_TOLERANCE, Parse::duration));
        check = settings.optional(Setting.KEY_MAX_AGE, Parse::positiveDuration)
                .map(check::withMaxAge)
                .orElse(check);
        return settings.optional(Setting.KEY_TIME_HEADER, Routes::headerName)
                .map(check::withTimeHeader)
                .orElse(check);
    }

    private static KeySource keySource(Settings settings, Fields fields, @Nullable DigestKeys digestKeys) {
        return settings.list(
                Setting.KEY_FROM,
                texts -> KeySource.parse(
                        texts,
                        digestKeys == null
                                ? null
                                : KeySource.bodyHash(digestKeys.ofBodies(), fields)
                                        .withTarget()));
    }

    private static Policy policy(
            String operation, Settings settings, Dialect dialect, Optional<URI> reconcileUrl, Duration wait) {
        Recovery recovery = settings.get(Setting.RECOVERY, text -> Parse.choice(Recovery.class, text));
        if (recovery == Recovery.RECONCILE && reconcileUrl.isEmpty()) {
            throw settings.complaint(Setting.RECOVERY, "reconcile needs a service to ask: set reconcile-url");
        }
        try {
            return Policy.external(operation)
                    .lease(settings.get(Setting.LEASE, Parse::positiveDuration))
                    .retention(retention(settings, dialect))
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

    private static Retention retention(Settings settings, Dialect dialect) {
        Duration promised = dialect.retention();
        return new Retention(
                promised != null && !settings.isGiven(Setting.RETENTION)
                        ? promised
                        : settings.get(Setting.RETENTION, Parse::positiveDuration),
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

    private static String[] secrets(String file) {
        try {
            List<String> lines = Files.readAllLines(SecretFile.require(Path.of(file))).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
            if (lines.isEmpty()) {
                throw new IllegalArgumentException("expected a secret on each line of " + file + ", and it has none");
            }
            return lines.toArray(String[]::new);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot be read: " + e, e);
        }
    }

    static String headerName(String text) {
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
