package dev.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.HandlerResponse;
import dev.semel.http.HttpRules;
import dev.semel.policy.Policy;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaptureTest {

    /** In a process of its own, because the directory for temporary files is that of the process. */
    @Test
    void p13KeepsNoPartOfAResponseWhoseRestCannotBeWritten(@TempDir Path directory) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + directory.resolve("missing"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        WithoutDirectory.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output.lines())
                .containsSubsequence("kept: nothing", "sent: nothing, a part of the response could not be kept");
    }

    static final class WithoutDirectory {

        public static void main(String[] arguments) {
            HttpServletResponse container = (HttpServletResponse) Proxy.newProxyInstance(
                    WithoutDirectory.class.getClassLoader(),
                    new Class<?>[] {HttpServletResponse.class},
                    (proxy, method, values) -> null);
            Capture capture = Capture.streaming(
                    HttpRules.of(Policy.external("test").maxPayload(1 << 20).build()));
            CapturedResponse response = new CapturedResponse(container, capture, Runnable::run);
            response.setContentType("text/plain;charset=UTF-8");
            response.getWriter().write("x".repeat(200 << 10));

            HandlerResponse made = capture.toResponse(null);
            System.out.println("kept: " + (made.body() == null ? "nothing" : made.body().length));
            try {
                capture.commit(container, List.of());
                System.out.println("sent: something");
            } catch (IOException e) {
                System.out.println("sent: nothing, " + e.getMessage());
            }
        }
    }
}
