package dev.semel.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A service that answers with exact bytes, and keeps its connections unless it is told otherwise. */
public final class ScriptedUpstream implements AutoCloseable {

    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *([0-9]+)\r\n");

    /** What the service does with a request. */
    @FunctionalInterface
    public interface Script {

        /**
         * The bytes to write; the connection is closed after those that end with {@link #CLOSE}.
         *
         * @param turn how many requests came before on the same connection
         */
        String answer(String request, int turn);
    }

    public static final String CLOSE = "<close>";

    public final List<String> requests = new CopyOnWriteArrayList<>();
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Script script;

    public ScriptedUpstream(Script script) throws IOException {
        this.script = script;
        threads.execute(this::accept);
    }

    public String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                threads.execute(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            for (int turn = 0; ; turn++) {
                String request = read(socket.getInputStream());
                if (request.isEmpty()) {
                    return;
                }
                requests.add(request);
                String answer = script.answer(request, turn);
                socket.getOutputStream().write(answer.replace(CLOSE, "").getBytes(StandardCharsets.ISO_8859_1));
                socket.getOutputStream().flush();
                if (answer.endsWith(CLOSE)) {
                    return;
                }
            }
        } catch (IOException gone) {
            // The gateway has closed the connection, which some of these tests are about.
        }
    }

    private static String read(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int c = in.read();
            if (c < 0) {
                return "";
            }
            head.append((char) c);
        }
        Matcher length = LENGTH.matcher(head);
        if (length.find()) {
            head.append(new String(in.readNBytes(Integer.parseInt(length.group(1))), StandardCharsets.ISO_8859_1));
        }
        return head.toString();
    }

    @Override
    public void close() throws IOException {
        server.close();
        threads.shutdownNow();
    }
}
