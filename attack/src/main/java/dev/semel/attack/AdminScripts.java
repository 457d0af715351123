package dev.semel.attack;

import dev.semel.attack.lab.Answer;
import dev.semel.attack.lab.Lab;
import dev.semel.attack.lab.Profile;
import dev.semel.attack.lab.Requests;
import dev.semel.attack.lab.Target;
import dev.semel.attack.lab.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Attacks on the admin address that take more than one request. */
final class AdminScripts {

    private static final int GUESSES = 100;
    private static final int GUESSES_THAT_MAY_BE_JUDGED = 20;
    private static final long GUESSING_NANOS = 3_000_000_000L;
    private static final Pattern DIGEST = Pattern.compile("\"digest\":\"([0-9a-f]+)\"");
    private static final Pattern FENCING_TOKEN = Pattern.compile("\"token\":\"?(\\d+)");

    private AdminScripts() {}

    /** A guesser must get fewer and fewer answers that a guess was wrong. */
    static Verdict guesses(Lab lab, Effort effort) throws IOException, InterruptedException {
        Target target = lab.target(Profile.PLAIN);
        int judged = 0;
        int answered = 0;
        long end = System.nanoTime() + GUESSING_NANOS;
        for (int i = 0; i < GUESSES && System.nanoTime() < end; i++) {
            try (Wire wire = target.connectAdmin()) {
                int status =
                        wire.send(get("/api/overview", "guess-" + i)).answer().status();
                judged += status == 401 ? 1 : 0;
                answered += status > 0 ? 1 : 0;
            }
        }
        String seen = judged + " of " + GUESSES + " guesses were judged within 3 s";
        return answered == 0 || judged > GUESSES_THAT_MAY_BE_JUDGED ? Verdict.failed(seen) : Verdict.held(seen);
    }

    private static String get(String path, String token) {
        return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + token
                + "\r\nConnection: close\r\n\r\n";
    }

    static Verdict lineEnd(Lab lab, Effort effort) throws IOException, InterruptedException {
        return decide(
                lab,
                "line-end",
                "{\"outcome\":\"succeeded\",\"reason\":\"x\",\"status\":200,\"body\":\"{}\","
                        + "\"contentType\":\"text/plain\\r\\nX-Forged: yes\",\"token\":\"%s\"}");
    }

    static Verdict status(Lab lab, Effort effort) throws IOException, InterruptedException {
        return decide(
                lab,
                "status-999",
                "{\"outcome\":\"succeeded\",\"reason\":\"x\",\"status\":999,\"body\":\"{}\",\"token\":\"%s\"}");
    }

    /** Makes a key whose outcome is unknown, and tries to decide it so that its replays cannot be written. */
    private static Verdict decide(Lab lab, String name, String decision) throws IOException, InterruptedException {
        Target target = lab.target(Profile.PLAIN);
        String request = Requests.charge(name, "").replace("/charges ", "/charges/break ");
        Answer made = proxy(target, request);
        Answer found = admin(target, get("/api/keys?state=unknown", target.adminToken()));
        Matcher digest = DIGEST.matcher(found.body());
        if (!digest.find()) {
            return Verdict.failed("no key got unknown: " + made + ", " + found);
        }
        String key = digest.group(1);
        Matcher token = FENCING_TOKEN.matcher(
                admin(target, get("/api/keys/" + key, target.adminToken())).body());
        String body = decision.formatted(token.find() ? token.group(1) : "1");
        Answer decided = admin(
                target,
                "POST /api/keys/" + key + "/resolve HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
                        + target.adminToken() + "\r\nSemel-Console: 1\r\nContent-Type: application/json\r\n"
                        + "Content-Length: " + body.length() + "\r\nConnection: close\r\n\r\n" + body);
        Answer replayed = proxy(target, request);
        String seen = "the decision got " + decided + ", a retry " + replayed;
        return decided.status() == 400 && replayed.status() == 409 ? Verdict.held(seen) : Verdict.failed(seen);
    }

    private static Answer proxy(Target target, String bytes) throws IOException {
        try (Wire wire = target.connect()) {
            return wire.send(bytes).answer();
        }
    }

    private static Answer admin(Target target, String bytes) throws IOException {
        try (Wire wire = target.connectAdmin()) {
            return wire.send(bytes).answer();
        }
    }

    /** Only the owner may read or write the store. */
    static Verdict modes(Lab lab, Effort effort) throws IOException, InterruptedException {
        Set<PosixFilePermission> owners = Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        List<String> open = new ArrayList<>();
        List<String> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(lab.directory(Profile.PLAIN))) {
            for (Path file : files.filter(each -> each.getFileName().toString().startsWith("semel.db"))
                    .toList()) {
                all.add(file.getFileName().toString());
                if (!owners.containsAll(Files.getPosixFilePermissions(file))) {
                    open.add(file.getFileName().toString());
                }
            }
        }
        return all.isEmpty() || !open.isEmpty()
                ? Verdict.failed("others may read " + open + " of " + all)
                : Verdict.held("only the owner may read " + all);
    }
}
