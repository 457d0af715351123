package dev.semel.spring.test.child;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The connection to the test that has started this process. The test sends {@code record}, {@code crash POINT} or
 * {@code stop}; the answers are {@code ok}, {@code ok}, and the points that were reached with an empty line behind them.
 */
final class ControlLink {

    static final String CRASH = "crash ";

    private final PointSwitch points;
    private final BufferedReader orders;
    private final PrintWriter answers;

    private ControlLink(PointSwitch points, BufferedReader orders, PrintWriter answers) {
        this.points = points;
        this.orders = orders;
        this.answers = answers;
    }

    /** Connects to the test. The process ends with the connection: nothing else would stop it. */
    static ControlLink connect(int port, PointSwitch points) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        ControlLink link = new ControlLink(
                points,
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)),
                new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8));
        Thread listener = new Thread(link::listen, "semel-crash-control");
        listener.setDaemon(true);
        listener.start();
        return link;
    }

    /** Says on which port the application listens. */
    void ready(String port) {
        answers.println(port);
    }

    private void listen() {
        try {
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                obey(order);
            }
        } catch (IOException e) {
            // As if the test had closed the connection: it has ended.
        }
        Runtime.getRuntime().halt(1);
    }

    private void obey(String order) {
        if (order.equals("stop")) {
            List<String> reached = points.stop();
            reached.forEach(answers::println);
            answers.println();
            return;
        }
        points.start(order.startsWith(CRASH) ? order.substring(CRASH.length()) : null);
        answers.println("ok");
    }
}
