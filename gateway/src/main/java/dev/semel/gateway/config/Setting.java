package dev.semel.gateway.config;

import dev.semel.http.dialect.Dialect;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All settings, with the name {@code --name} on the command line and {@code name} in the file. */
public enum Setting {
    UPSTREAM("URL", "The service to protect, for example http://127.0.0.1:9000."),
    LISTEN("HOST:PORT", "Where clients connect.", "127.0.0.1:8080"),
    ADMIN("HOST:PORT", "Where the console and its API are; \"off\" for nowhere.", "127.0.0.1:8081"),
    ADMIN_TOKEN(
            "TOKEN",
            "A token with all rights on the admin address; also from the environment variable SEMEL_ADMIN_TOKEN. By"
                    + " default, each start makes one and prints it, unless there is --admin-tokens."),
    ADMIN_TOKENS(
            "FILE",
            "Named tokens of the admin address, one per line: NAME ROLES TOKEN. Roles are metrics, read, operate and erase,"
                    + " or proxy for one that names its users in Semel-User and Semel-Roles. Instead of the token,"
                    + " sha256: and its digest."),
    FOUR_EYES(
            "DECISION[,DECISION...]",
            "Decisions that only take effect when a second person sends the same one within a day: release, erase or both."
                    + " None by default."),
    ADMIN_PLAIN_HTTP(
            "BOOLEAN",
            "Whether other machines may use the admin address without TLS, so that anyone on the network can read the token.",
            "false"),
    STORE(
            "URL",
            "Where keys are stored: sqlite:PATH, jdbc:postgresql://HOST/DATABASE, jdbc:mariadb://HOST/DATABASE,"
                    + " jdbc:mysql://HOST/DATABASE, redis://HOST:PORT, dynamodb:TABLE?region=REGION, cassandra://HOST:PORT/KEYSPACE, etcd://HOST:PORT, or"
                    + " memory: (lost"
                    + " with the process)."
                    + " User and password of a database also from SEMEL_STORE_USER and SEMEL_STORE_PASSWORD.",
            "sqlite:semel.db"),
    AUDIT_WINDOW(
            "DURATION",
            "How long PostgreSQL keeps the record of a key, without its response, after its retention and its audit"
                    + " have passed; in whole days. Not at all by default."),
    COMPRESS("BOOLEAN", "Whether stored responses are compressed.", "false"),
    SEAL_KEYS(
            "FILE",
            "Master keys that stored responses are encrypted with, as lines of NAME:BASE64, 32 bytes each, the current"
                    + " one first. Older ones stay in the file as long as responses are kept."),
    SEAL_STRICT(
            "BOOLEAN",
            "Whether to refuse stored responses that are not encrypted, because someone without the master keys may have"
                    + " written them.",
            "false"),
    DIGEST_KEYS(
            "FILE",
            "Secret keys of the digests in the store, of requests and of credentials, in a file like --seal-keys; the same"
                    + " for all gateways on one store. New keys go to the top; credentials and body hashes keep the last one."),
    NAMESPACE("vN:NAME", "The key space in the store; two namespaces never share a key.", "v1:default"),
    SCOPE(
            "RULE",
            "How to identify the caller of a request: \"header:NAME\" (set by an authenticating proxy in front, one of"
                    + " --trusted-proxies), \"jwt:CLAIM\""
                    + " (of a bearer token that --jwt-key verifies), \"credential\" (a digest of the Authorization"
                    + " header: a refreshed token is another caller, and its retries are run again), or \"single\""
                    + " (all requests come from one trusted caller; the default on a loopback address only)."),
    JWT_KEY(
            "FILE or URL",
            "Keys that verify tokens: a file with a JWK set (JSON), public keys or certificates (PEM), or the https URL of a"
                    + " JWK set, which is fetched again every 5 minutes, and when a token names a key that it lacks."),
    JWT_ISSUER("ISSUER", "The issuer (iss) that tokens must have."),
    JWT_AUDIENCE("AUDIENCE", "The audience (aud) that tokens must have."),
    NODE("NAME", "The name of this gateway in the keys that it claims. By default, the name of the machine."),
    PEER(
            "URL[,URL...]",
            "The admin addresses of the other gateways, for example http://10.0.0.12:8081. The console then shows which of"
                    + " them do not answer or are not ready; this gateway's own address may be among them."),
    TRACE_URL(
            "URL",
            "The URL of a trace for links in the console, with {traceId} in it, for example"
                    + " https://traces.example.org/trace/{traceId}."),
    REPLAY_MARKER(
            "NAME[,NAME...]",
            "The headers that mark a replay, each with the value true; as --dialect says, unless set. Name two to send both,"
                    + " for clients that know an older one."),
    STATUS_PATH(
            "PATH",
            "Where duplicates that got 202 ask for the outcome; only served if a route uses it.",
            "/semel/operations"),
    TLS_CERT("FILE", "Certificate chain (PEM): clients connect with TLS."),
    TLS_KEY("FILE", "Private key (PEM, PKCS #8) of the certificate."),
    UPSTREAM_CA("FILE", "Certificates (PEM) to trust for an https upstream, instead of the JDK's."),
    UPSTREAM_HTTP2("BOOLEAN", "Whether to use HTTP/2 to the upstream.", "false"),
    UPSTREAM_CONNECTIONS("N", "The maximum number of connections to the upstream for requests with a key.", "256"),
    PASS_CONNECTIONS("N", "The maximum number of connections to the upstream for requests without a key.", "256"),
    UPSTREAM_KEEP_ALIVE(
            "DURATION",
            "How long an idle connection to the upstream is kept; must be shorter than the upstream's own limit.",
            "2s"),
    PRESERVE_HOST(
            "BOOLEAN",
            "Whether the upstream gets the client's Host instead of its own (X-Forwarded-Host always has it).",
            "false"),
    TRUST_FORWARDED(
            "BOOLEAN", "Whether X-Forwarded-* of the request are trusted and extended instead of replaced.", "false"),
    TRUSTED_PROXIES(
            "CIDR[,CIDR...]",
            "The addresses of the proxies in front whose headers are trusted, for example 10.0.0.0/8, 2001:db8::/32 or"
                    + " loopback. Needed for --scope header:NAME and --trust-forwarded unless --listen is a loopback"
                    + " address, where it is \"loopback\" by default."),
    CONNECT_TIMEOUT("DURATION", "How long connecting to the upstream may take.", "5s"),
    IDLE_TIMEOUT(
            "DURATION",
            "How long a client may keep a connection without a complete request, or a transfer may stall.",
            "60s"),
    RECEIVE_TIMEOUT("DURATION", "How long the body of a protected request may take to arrive.", "2m"),
    MIN_RATE("SIZE", "How much of such a body must arrive per second, on average; 0 for no limit.", "1k"),
    LAME_DUCK(
            "DURATION",
            "How long requests are still served after SIGTERM, before the listener closes, while /ready already answers 503:"
                    + " the time that load balancers need to notice.",
            "0s"),
    DRAIN("DURATION", "How long running requests may take to finish after the listener has closed.", "30s"),
    LOG_FORMAT("text|json", "The format of the log: text for people, or a JSON object per line.", "text"),
    ACCESS_LOG(
            "BOOLEAN",
            "Whether the log has a line for each request: method, path, status, duration, the digest of its key, and"
                    + " whether it was replayed. Never a key, a header, a query or a body.",
            "false"),
    MAX_HEADER("SIZE", "The largest request or response header.", "16k"),
    MAX_QUEUE("N", "The maximum number of requests that wait for a connection to the upstream.", "1024"),
    MAX_BUFFERED(
            "SIZE",
            "The maximum memory for bodies of protected requests and responses, at most half of the heap; 0 for a quarter"
                    + " of the heap.",
            "0"),
    MAX_STREAMS(
            "N",
            "The maximum number of event streams and tunnels, which have their own connections to the upstream.",
            "256"),
    STREAM_AGE("DURATION", "How long an event stream or a tunnel may last.", "1h"),
    MAX_CONNECTIONS(
            "N",
            "The maximum number of client connections; beyond it, those that have been idle longest are closed. 0"
                    + " for one in 256k of the heap.",
            "0"),
    CALLER_IN_FLIGHT(
            "N",
            "The maximum number of requests with a key that one caller may have in flight; 0 for no limit. Half of"
                    + " --upstream-connections by default, and no limit with --scope single."),
    CALLER_RATE(
            "N",
            "The maximum rate of one caller's requests with a key, per second on average; 0 for no limit. 1000 by default, and no"
                    + " limit with --scope single."),
    CALLER_BURST("N", "How many of them may come in a burst; twice --caller-rate by default."),
    CALLER_BUFFERED(
            "SIZE",
            "The maximum memory for bodies of one caller's protected requests and responses; 0 for no limit. Half of"
                    + " --max-buffered by default, and no limit with --scope single."),
    CALLER_KEYS(
            "N", "The maximum number of one caller's keys that this gateway keeps in the store; 0 for no limit.", "0"),
    CALLER_BYTES(
            "SIZE",
            "The maximum size of one caller's responses that this gateway keeps in the store, in bytes; 0 for no limit.",
            "0"),
    CALLER_UNKNOWN(
            "N",
            "The maximum number of one caller's keys that may be unknown; 0 for no limit. 10000 by default, and no limit"
                    + " with --scope single."),
    EVENT_LOOPS("N", "The number of event loops; 0 for as many as there are processors.", "0"),

    PROTECT("BOOLEAN", "Whether requests with a key are protected at all.", "true", true),
    SHADOW(
            "BOOLEAN",
            "Whether requests run unprotected, while Semel records what it would have done, for \"semel shadow"
                    + " report\".",
            "false",
            true),
    DIALECT(
            String.join("|", Dialect.names()),
            "Which API's conventions requests and answers follow: the header of the key, statuses and bodies of"
                    + " errors, and the mark"
                    + " of a replay.",
            "draft",
            true),
    METHODS("METHOD[,METHOD...]", "The methods that are protected; as --dialect says, unless set.", null, true),
    REQUIRE_KEY("BOOLEAN", "Whether a request without a key is refused; as --dialect says, unless set.", null, true),
    KEY_HEADER("NAME", "The header that carries the key; as --dialect says, unless set.", null, true),
    KEY_FROM(
            "SOURCE[,SOURCE...]",
            "Where to read a request's key; the first place that has one counts. As --dialect says, unless set: header (--key-header),"
                    + " header:NAME, json:/POINTER, graphql, form:FIELD, query:PARAMETER; or, for clients that"
                    + " send no key, where to derive it from: path:/orders/{order}, natural:/POINTER, or"
                    + " body-hash (needs --digest-keys). A request whose key would be in its body is refused"
                    + " without one. With body-hash:1d, a body is a new operation every day (UTC).",
            null,
            true),
    SIGNATURE_SECRETS(
            "FILE",
            "Secrets that the requests of a webhook dialect are signed with, one on each line, as the provider shows them."
                    + " Use several while one replaces another.",
            null,
            true),
    KEY_FORMAT(
            "FORMAT",
            "The format of keys that clients choose: any, uuid, uuidv4, uuidv7, ulid, pattern:REGEX or entropy:BITS;"
                    + " as --dialect says, unless set.",
            null,
            true),
    KEY_MAX_AGE(
            "DURATION",
            "How old a key may be by the time in it (uuidv7, ulid) or in --key-time-header; an older one is"
                    + " refused with 410, and nothing is stored for it. With twice --clock-tolerance, at most"
                    + " --retention.",
            null,
            true),
    KEY_TIME_HEADER("NAME", "The header with the HTTP date at which a client first sent a request.", null, true),
    CLOCK_TOLERANCE("DURATION", "How far client clocks may differ from this one.", "5m", true),
    STRICT_KEY("BOOLEAN", "Whether only the quoted form of the header is accepted.", "false", true),
    FIELDS(
            "POINTER[,POINTER...]",
            "Which parts of a JSON body identify a request: only these JSON Pointers (/amount), or everything but"
                    + " these (-/sentAt). The whole body by default.",
            null,
            true),
    LEASE("DURATION", "How long a request owns its key without a heartbeat.", "30s", true),
    RETENTION("DURATION", "How long a response is replayed; some dialects keep it for longer unless set.", "24h", true),
    RETENTION_OF_REFUSED(
            "DURATION",
            "How long a refusal (400, 401, 403, 404, 405, 413, 415, 422, 429) is replayed; never longer than"
                    + " --retention. After it the same key runs again.",
            "1h",
            true),
    AUDIT("DURATION", "How much longer than its retention a key's record is kept for people.", "0s", true),
    TOMBSTONE("DURATION", "How much longer an expired key is refused instead of becoming free.", "0s", true),
    RECOVERY(
            "hold|re-execute|fail|reconcile",
            "What to do with a key whose outcome is unknown: answer 409 until you resolve it, run it again,"
                    + " settle it as failed, or ask --reconcile-url.",
            "hold",
            true),
    RECONCILE_URL("URL", "Where to ask what happened to an operation.", null, true),
    DUPLICATES(
            "reject|wait|accepted",
            "What a duplicate gets while the first request runs: 409, its outcome after a wait, or 202.",
            "reject",
            true),
    WAIT("DURATION", "How long a duplicate may wait.", "10s", true),
    RESPOND_ASYNC(
            "BOOLEAN",
            "Whether a client that sends Prefer: respond-async immediately gets 202, and asks --status-path for the outcome.",
            "false",
            true),
    STORE_DOWN("closed|open", "Whether requests are refused or run unprotected then.", "closed", true),
    NOT_EXECUTED_STATUSES(
            "STATUS[,STATUS...]",
            "Statuses which mean that the upstream did nothing, so that a retry with the same key runs; none by default.",
            null,
            true),
    TIMEOUT("DURATION", "How long the upstream may take to answer.", "60s", true),
    MAX_BODY("SIZE", "The largest body of a protected request.", "10m", true),
    MAX_RESPONSE("SIZE", "The largest response body that is kept for replay.", "1m", true),
    NEVER_STORE(
            "PART[,PART...]",
            "Parts of responses that are never stored: JSON Pointers (/card/number) and headers (header:X-Token). A replay has a"
                    + " placeholder instead.",
            null,
            true),
    REPLAY_CHECK_URL(
            "URL",
            "Asked, with the caller's Authorization and Cookie, before a response is replayed: 2xx allows it, 401,"
                    + " 403 and 404 deny it, and anything else is 503.",
            null,
            true),
    PUBLISH_EXPIRY(
            "BOOLEAN",
            "Whether responses have the time until which they are replayed. By default they do if --documentation or --problem-pages"
                    + " is set.",
            null,
            true),
    DOCUMENTATION("URL", "The page about keys that error responses link to; --problem-pages unless set.", null, true),
    PROBLEM_PAGES(
            "URL",
            "The page that describes the gateway's problems, such as a copy of docs/problems.md: the type of a"
                    + " problem is then a heading on this page (URL#key-reused), or a page below it if the URL"
                    + " ends with a slash. By default,"
                    + " types are URNs.",
            null,
            true);

    private final String label;
    private final String help;
    private final @Nullable String standard;
    private final boolean perRoute;

    Setting(String label, String help) {
        this(label, help, null);
    }

    Setting(String label, String help, @Nullable String standard) {
        this(label, help, standard, false);
    }

    Setting(String label, String help, @Nullable String standard, boolean perRoute) {
        this.label = label;
        this.help = help;
        this.standard = standard;
        this.perRoute = perRoute;
    }

    /** Its name in the file, and on the command line after two dashes. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The form of its value. */
    public String label() {
        return label;
    }

    public String help() {
        return help;
    }

    /** The value that is used when none is given. */
    public @Nullable String standard() {
        return standard;
    }

    /** Whether a route of the file may set it for itself. */
    public boolean perRoute() {
        return perRoute;
    }

    public boolean isSwitch() {
        return label.equals("BOOLEAN");
    }

    public boolean isList() {
        return label.endsWith("...]");
    }

    /** Splits the text of a list at its commas; any other text is one element. */
    List<String> split(String text) {
        return isList() ? Arrays.stream(text.split(",", -1)).map(String::strip).toList() : List.of(text);
    }

    static Optional<Setting> find(String key) {
        return Arrays.stream(values()).filter(each -> each.key().equals(key)).findFirst();
    }

    static List<String> keys(boolean ofRoute) {
        return Arrays.stream(values())
                .filter(each -> each.perRoute || !ofRoute)
                .map(Setting::key)
                .toList();
    }
}
