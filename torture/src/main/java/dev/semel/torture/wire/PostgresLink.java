package dev.semel.torture.wire;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** A connection that understands messages of PostgreSQL's protocol, version 3, and what they acknowledge. */
final class PostgresLink extends WireLink {

    private final Map<String, String> statements = new HashMap<>();

    PostgresLink(DatabaseWire wire, Socket client, Socket server) throws IOException {
        super(wire, client, server);
    }

    @Override
    void pumpQuestions() throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream(), BUFFER));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(server.getOutputStream(), BUFFER));
        copyStartup(in, out);
        StringBuilder asking = new StringBuilder();
        while (true) {
            int type = in.readUnsignedByte();
            byte[] body = readBody(in);
            note(type, body, asking);
            boolean complete = type == 'S' || type == 'Q';
            if (complete) {
                asked = asking.toString();
                wire.holdBack(asked);
            }
            wire.hold();
            write(out, type, body);
            if (in.available() == 0) {
                out.flush();
            }
            if (complete) {
                out.flush();
                wire.sent(asked);
                asking.setLength(0);
            }
        }
    }

    /** The first message has no type. */
    private static void copyStartup(DataInputStream in, DataOutputStream out) throws IOException {
        byte[] body = readBody(in);
        out.writeInt(body.length + Integer.BYTES);
        out.write(body);
        out.flush();
    }

    private void note(int type, byte[] body, StringBuilder asking) {
        if (type == 'P') {
            statements.put(text(body, 0), text(body, text(body, 0).length() + 1));
        } else if (type == 'B') {
            String statement = text(body, text(body, 0).length() + 1);
            asking.append(statements.getOrDefault(statement, "")).append(";\n");
        } else if (type == 'Q') {
            asking.append(text(body, 0));
        }
    }

    private static String text(byte[] body, int from) {
        int end = from;
        while (body[end] != 0) {
            end++;
        }
        return new String(body, from, end - from, StandardCharsets.ISO_8859_1);
    }

    @Override
    void pumpAnswers() throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(server.getInputStream(), BUFFER));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(client.getOutputStream(), BUFFER));
        boolean refused = false;
        boolean silent = false;
        while (true) {
            int type = in.readUnsignedByte();
            byte[] body = readBody(in);
            refused |= type == 'E';
            boolean acknowledges = type == 'Z' && body[0] == 'I';
            Loss loss = acknowledges && !refused ? wire.lossOf(asked) : Loss.NONE;
            if (loss == Loss.CLOSE) {
                return;
            }
            silent |= loss == Loss.SILENCE;
            if (type == 'Z') {
                refused = false;
            }
            if (!silent) {
                wire.hold();
                write(out, type, body);
                if (type == 'Z' || in.available() == 0) {
                    out.flush();
                }
            }
        }
    }

    private static byte[] readBody(DataInputStream in) throws IOException {
        int length = in.readInt();
        byte[] body = new byte[length - Integer.BYTES];
        in.readFully(body);
        return body;
    }

    private static void write(DataOutputStream out, int type, byte[] body) throws IOException {
        out.write(ByteBuffer.allocate(1 + Integer.BYTES)
                .put((byte) type)
                .putInt(body.length + Integer.BYTES)
                .array());
        out.write(body);
    }
}
