package dev.semel.attack;

import static dev.semel.attack.lab.Requests.SMUGGLED;

import dev.semel.attack.lab.Profile;
import dev.semel.attack.lab.Rule;
import java.util.ArrayList;
import java.util.List;

/** Requests of HTTP/2 that say what HTTP/1.1 cannot. */
final class Http2Attacks {

    private Http2Attacks() {}

    static List<Attack> all() {
        Listing list = new Listing(Group.FRAMING).on(Profile.TLS);
        pseudo(list, "h2-space-in-path", ":path", "/charges x");
        pseudo(list, "h2-version-in-path", ":path", "/search HTTP/1.1\r\nX-A: b\r\n\r\n" + SMUGGLED);
        pseudo(list, "h2-tab-in-path", ":path", "/charges\t");
        pseudo(list, "h2-path-without-slash", ":path", "-internal/x");
        pseudo(list, "h2-fragment-in-path", ":path", "/search#/../charges");
        pseudo(list, "h2-space-in-method", ":method", "PO ST");
        pseudo(list, "h2-request-in-method", ":method", "GET /api/x HTTP/1.1\r\nHost: y\r\n\r\nPOST");
        pseudo(list, "h2-space-in-authority", ":authority", "shop example");
        pseudo(list, "h2-path-in-authority", ":authority", "shop.example/x");
        header(list, "h2-space-in-name", "x y", "1");
        header(list, "h2-upper-case-name", "X-Forged", "1");
        header(list, "h2-line-in-value", "x-a", "b\r\nX-Forged: yes");
        header(list, "h2-request-in-value", "x-a", "b\r\n\r\n" + SMUGGLED);
        header(list, "h2-nul-in-value", "x-a", "b\u0000c");
        header(list, "h2-transfer-encoding", "transfer-encoding", "chunked");
        header(list, "h2-connection", "connection", "authorization");
        header(list, "h2-other-host", "host", "other.example");
        header(list, "h2-second-path", ":path", "/charges");
        header(list, "h2-negative-length", "content-length", "-1");
        list.script(
                "h2-body-longer-than-said",
                "a body that is longer than its content-length",
                new FrameAttack(
                        request("h2-body-longer-than-said", "content-length", "2"),
                        "{}" + SMUGGLED,
                        List.of(Rule.reachedAtMost(0))));
        return list.all();
    }

    private static void pseudo(Listing list, String name, String pseudo, String value) {
        List<String> headers = request(name, "x", "y");
        headers.set(headers.indexOf(pseudo) + 1, value);
        add(list, name, pseudo, value, headers);
    }

    private static void header(Listing list, String name, String header, String value) {
        add(list, name, header, value, request(name, header, value));
    }

    private static void add(Listing list, String name, String header, String value, List<String> headers) {
        String shown = value.replaceAll("\\r\\n.*|[\\x00-\\x1f]", "?");
        list.script(name, header + ": " + shown, new FrameAttack(headers, "", List.of(Rule.refused())));
    }

    private static List<String> request(String name, String header, String value) {
        List<String> headers = new ArrayList<>(
                List.of(":method", "POST", ":scheme", "https", ":authority", "shop.example", ":path", "/charges"));
        headers.addAll(List.of("authorization", "Bearer alice", "idempotency-key", name, header, value));
        return headers;
    }
}
