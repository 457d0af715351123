package dev.semel.attack.lab;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A connection that carries exact bytes. */
public final class Wire implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 5_000;
    private static final int SILENCE_MILLIS = 150;
    private static final int MAX_BODY = 64 << 20;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    public Wire(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    public Wire send(String bytes) throws IOException {
        return send(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    public Wire send(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
        return this;
    }

    /** The next response; interim ones are skipped. */
    public Answer answer() throws IOException {
        return answer(false);
    }

    /** The next response to a request whose method is HEAD: it has no body. */
    public Answer answerToHead() throws IOException {
        return answer(true);
    }

    private Answer answer(boolean toHead) throws IOException {
        try {
            Answer answer = read(toHead);
            while (answer.status() >= 100 && answer.status() < 200 && answer.status() != 101) {
                answer = read(toHead);
            }
            return answer;
        } catch (SocketTimeoutException e) {
            return Answer.NONE_SILENT;
        } catch (java.net.SocketException | javax.net.ssl.SSLException reset) {
            return Answer.NONE_CLOSED;
        }
    }

    /** All responses until the connection is closed, or has been silent after the first one for a moment. */
    public List<Answer> answers() throws IOException {
        List<Answer> all = new ArrayList<>();
        Answer next = answer();
        all.add(next);
        socket.setSoTimeout(SILENCE_MILLIS);
        while (next.status() > 0) {
            next = answer();
            if (next.status() > 0) {
                all.add(next);
            }
        }
        return all;
    }

    private Answer read(boolean toHead) throws IOException {
        String head = MessageReader.read(in);
        if (head.isEmpty()) {
            return Answer.NONE_CLOSED;
        }
        String[] words = head.split(" ", 3);
        if (!head.startsWith("HTTP/1.") || words.length < 2) {
            return new Answer(Answer.SILENT, head, "");
        }
        Answer bare = new Answer(Integer.parseInt(words[1].strip()), head, "");
        return toHead || bare.status() < 200 || bare.status() == 204
                ? bare
                : new Answer(bare.status(), head, body(bare));
    }

    private String body(Answer head) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if (head.header("Transfer-Encoding").equalsIgnoreCase("chunked")) {
            MessageReader.readChunks(in, body);
        } else if (!head.header("Content-Length").isEmpty()) {
            int length = Integer.parseInt(head.header("Content-Length"));
            body.writeBytes(in.readNBytes(Math.min(length, MAX_BODY)));
        } else {
            body.writeBytes(in.readNBytes(MAX_BODY));
        }
        return body.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
