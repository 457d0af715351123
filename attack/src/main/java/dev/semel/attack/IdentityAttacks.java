package dev.semel.attack;

import static dev.semel.attack.lab.Requests.ALICE;
import static dev.semel.attack.lab.Requests.CLOSE;
import static dev.semel.attack.lab.Requests.HOST;
import static dev.semel.attack.lab.Requests.charge;
import static dev.semel.attack.lab.Requests.key;

import dev.semel.attack.lab.Profile;
import dev.semel.attack.lab.Rule;
import java.util.List;

/** Requests that pretend to be another caller's, or another request. */
final class IdentityAttacks {

    private IdentityAttacks() {}

    static List<Attack> all() {
        Listing list = new Listing(Group.IDENTITY);
        callers(list);
        String forgeable =
                "Semel-Attempt Semel_Fencing_Token X-Forwarded-For X_Forwarded_For X-Forwarded-Prefix X-Real-IP"
                        + " X-Original-URL Forwarded Proxy Idempotency_Key Content_Length";
        List.of(forgeable.split(" ")).forEach(header -> forged(list, header));
        List.of("Authorization", "Idempotency-Key", "Content-Type", "Content-Length", "Host")
                .forEach(header -> taken(list, header));
        keys(list);
        requests(list);
        proxies(list);
        return list.all();
    }

    private static void callers(Listing list) {
        String nobody = charge("no-caller", "").replace(ALICE, "");
        String empty = charge("empty-caller", "").replace(" Bearer alice", " ");
        list.refused("no-caller", "a key without a credential", nobody)
                .refused("two-callers", "two credentials", charge("two-callers", "Authorization: Bearer mallory\r\n"))
                .refused("empty-caller", "an empty credential", empty)
                .bytes(
                        "key-of-another",
                        "a key that another caller has used",
                        List.of(
                                charge("key-of-another", ""),
                                charge("key-of-another", "").replace("alice", "mallory")),
                        Rule.notReplayed(),
                        Rule.reached(2));
    }

    private static void forged(Listing list, String header) {
        String name = "forged-" + header.toLowerCase(java.util.Locale.ROOT);
        list.bytes(
                name,
                header + " of the attacker's own",
                List.of(charge(name, header + ": 6.6.6.6\r\n")),
                Rule.hidden("6.6.6.6"));
    }

    private static void taken(Listing list, String header) {
        String name = "connection-takes-" + header.toLowerCase(java.util.Locale.ROOT);
        list.refused(
                name,
                "Connection: " + header,
                charge(name, "Content-Type: application/json\r\nConnection: " + header + "\r\n"));
    }

    private static void keys(Listing list) {
        String line = key("spelled-key").strip();
        String value = line.substring(line.indexOf(' ') + 1);
        String head = "POST /charges HTTP/1.1\r\n" + HOST + ALICE;
        String end = "\r\nContent-Length: 2\r\n" + CLOSE + "\r\n{}";
        list.bytes(
                        "spelled-key",
                        "one key with quotes, parameters, spaces and in other letters of its header",
                        List.of(
                                head + "Idempotency-Key: " + value + end,
                                head + "Idempotency-Key: \"" + value + "\"" + end,
                                head + "Idempotency-Key: \"" + value + "\";a=1" + end,
                                head + "idempotency-key:\t " + value + " \t" + end,
                                head + "IDEMPOTENCY-KEY:" + value + end),
                        Rule.reached(1))
                .refused("two-keys", "two keys", charge("two-keys", key("two-keys-b")))
                .refused("list-of-keys", "a list of keys", charge("list", "").replace("list-", "list-a, list-"))
                .refused("empty-key", "an empty key", head + "Idempotency-Key: " + end)
                .refused("key-of-300", "a key of 300 characters", head + "Idempotency-Key: " + "k".repeat(300) + end)
                .refused("key-not-ascii", "a key that is not ASCII", head + "Idempotency-Key: \"caf\u00e9\"" + end);
    }

    private static void requests(Listing list) {
        String query = charge("other-query", "").replace("/charges ", "/charges?amount=1 ");
        String types = "Content-Type: application/json\r\nContent-Type: text/plain\r\n";
        again(list, "other-body", "another body", charge("other-body", "").replace("{}", "[]"));
        again(
                list,
                "other-encoding",
                "another Content-Encoding",
                charge("other-encoding", "Content-Encoding: gzip\r\n"));
        again(list, "second-type", "a second Content-Type", charge("second-type", types));
        again(list, "other-query", "another query", query);
        list.on(Profile.HOST)
                .bytes(
                        "other-host",
                        "one key for two hosts, where the service sees the host",
                        List.of(
                                charge("other-host", ""),
                                charge("other-host", "").replace("shop.example", "other.example")),
                        Rule.notReplayed());
    }

    /** The second request differs, so it must neither run nor get the first one's response. */
    private static void again(Listing list, String name, String about, String second) {
        String type = name.equals("second-type") ? "Content-Type: application/json\r\n" : "";
        list.bytes(
                name,
                "one key with " + about,
                List.of(charge(name, type), second),
                Rule.notReplayed(),
                Rule.reached(1));
    }

    private static void proxies(Listing list) {
        String user = charge("x", "X-User: alice\r\n").replace(ALICE, "");
        list.on(Profile.HEADER)
                .refused("caller-of-no-proxy", "X-User, from an address that is no trusted proxy's", user)
                .refused(
                        "caller-by-forwarding",
                        "X-User, and X-Forwarded-For of a trusted proxy",
                        user.replace("X-User", "X-Forwarded-For: 192.0.2.7\r\nX-User"))
                .on(Profile.PLAIN)
                .script(
                        "header-scope-in-public",
                        "a gateway for everybody that believes a header of anybody",
                        new RefusedStart("--listen 0.0.0.0:0 --admin off --scope header:X-User"))
                .script(
                        "forwarded-in-public",
                        "a gateway for everybody that believes X-Forwarded-For of anybody",
                        new RefusedStart("--listen 0.0.0.0:0 --admin off --scope credential --trust-forwarded true"));
    }
}
