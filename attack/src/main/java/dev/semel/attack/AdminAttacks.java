package dev.semel.attack;

import dev.semel.attack.lab.Profile;
import dev.semel.attack.lab.Rule;
import java.util.List;

/** Requests to the admin address by an attacker who must not decide anything. */
final class AdminAttacks {

    private static final String HOST = "Host: 127.0.0.1\r\n";
    private static final String TOKEN = "Authorization: Bearer " + Profile.ADMIN_TOKEN + "\r\n";
    private static final String CONSOLE = "Semel-Console: 1\r\n";
    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String RESOLVE = "POST /api/keys/" + "0".repeat(64) + "/resolve";
    private static final String DECISION = "{\"outcome\":\"released\",\"reason\":\"attack\",\"token\":\"1\"}";

    private AdminAttacks() {}

    static List<Attack> all() {
        Listing list = new Listing(Group.ADMIN);
        list.script("decision-with-a-line-end", "a decision whose content type has a line end", AdminScripts::lineEnd)
                .script("decision-with-status-999", "a decision with the status 999", AdminScripts::status)
                .script(
                        "store-for-everybody",
                        "the files of the store, as another user of the machine",
                        AdminScripts::modes);
        changes(list);
        files(list);
        starts(list);
        readers(list);
        // The last one, because after it no one gets in for a while.
        list.script("guesses", "100 guesses of the token", AdminScripts::guesses);
        return list.all();
    }

    private static void readers(Listing list) {
        denied(list, "no-token", "GET /api/keys", HOST);
        denied(list, "no-token-for-metrics", "GET /metrics", HOST);
        denied(list, "empty-token", "GET /api/keys", HOST + "Authorization: Bearer \r\n");
        denied(list, "beginning-of-the-token", "GET /api/keys", HOST + TOKEN.replace("0123456789abcdef", ""));
        denied(list, "token-in-the-query", "GET /api/keys?token=" + Profile.ADMIN_TOKEN, HOST);
        denied(list, "token-in-a-cookie", "GET /api/keys", HOST + "Cookie: token=" + Profile.ADMIN_TOKEN + "\r\n");
        denied(list, "token-as-basic", "GET /api/keys", HOST + TOKEN.replace("Bearer", "Basic"));
        denied(list, "loopback-by-header", "GET /api/keys", HOST + "X-Forwarded-For: 127.0.0.1\r\n");
        denied(list, "spelled-api", "GET /%61pi/keys", HOST);
        denied(list, "double-slash-api", "GET //api/keys", HOST);
        list.on(Profile.HOST);
        denied(list, "nobody-set-a-token", "GET /api/keys", HOST);
        denied(list, "rebound-name", "GET /api/keys", "Host: evil.example\r\n");
        list.on(Profile.PLAIN);
    }

    private static void denied(Listing list, String name, String line, String headers) {
        list.admin(
                name,
                line.replace(Profile.ADMIN_TOKEN, "TOKEN"),
                line + " HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n",
                Rule.answered(400, 401, 403, 404, 421, 429, 0),
                Rule.untold("\"keys\""),
                Rule.untold("semel_"));
    }

    private static void files(Listing list) {
        file(list, "traversal", "/../../../../../../etc/passwd");
        file(list, "traversal-escaped", "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd");
        file(list, "traversal-escaped-slash", "/js/..%2f..%2f..%2f..%2fetc%2fpasswd");
        file(list, "traversal-twice-escaped", "/js/%252e%252e/%252e%252e/etc/passwd");
        file(list, "traversal-backslash", "/js/..\\..\\..\\etc\\passwd");
        file(list, "absolute-file", "//etc/passwd");
        file(list, "class-path", "/../dev/semel/cli/version.properties");
    }

    private static void file(Listing list, String name, String target) {
        list.admin(
                name,
                "GET " + target,
                "GET " + target + " HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n",
                Rule.answered(400, 404, 0),
                Rule.untold("root:"),
                Rule.untold("version="));
    }

    private static void changes(Listing list) {
        change(list, "foreign-origin", TOKEN + CONSOLE + JSON + "Origin: http://evil.example\r\n", 403);
        change(list, "null-origin", TOKEN + CONSOLE + JSON + "Origin: null\r\n", 403);
        change(list, "form", TOKEN + CONSOLE + "Content-Type: text/plain\r\n", 403);
        change(list, "script-of-a-page", TOKEN + JSON, 403);
        change(list, "change-without-a-token", CONSOLE + JSON, 401);
        list.admin(
                        "large-decision",
                        "a decision of 50 MB",
                        RESOLVE + " HTTP/1.1\r\n" + HOST + TOKEN + CONSOLE + JSON + "Content-Length: 50000000\r\n\r\n"
                                + "x".repeat(3_000_000),
                        Rule.answered(413, 0))
                .admin(
                        "admin-cl-and-te",
                        "Content-Length and Transfer-Encoding",
                        RESOLVE + " HTTP/1.1\r\n" + HOST + TOKEN + CONSOLE + JSON
                                + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        Rule.answered(400, 0))
                .admin(
                        "trace",
                        "TRACE, which would show the token to a script",
                        "TRACE /api/keys HTTP/1.1\r\n" + HOST + TOKEN + "Connection: close\r\n\r\n",
                        Rule.answered(400, 404, 405, 501),
                        Rule.untold(Profile.ADMIN_TOKEN));
    }

    private static void change(Listing list, String name, String headers, int status) {
        list.admin(
                name,
                "a decision with "
                        + headers.replace(TOKEN, "").replace("\r\n", " ").strip(),
                RESOLVE + " HTTP/1.1\r\n" + HOST + headers + "Content-Length: " + DECISION.length()
                        + "\r\nConnection: close\r\n\r\n" + DECISION,
                Rule.answered(status));
    }

    private static void starts(Listing list) {
        String admin = "--listen 127.0.0.1:0 --admin 0.0.0.0:0";
        list.script("admin-in-public", "an admin address for everybody without a token", new RefusedStart(admin))
                .script(
                        "admin-in-plain-text",
                        "an admin address for everybody without TLS",
                        new RefusedStart(admin + " --admin-token " + Profile.ADMIN_TOKEN));
    }
}
