package dev.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.ReceiveLimits;
import dev.semel.http.spool.Spool;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestBodyTest {

    private static final int LENGTH = 100;

    /** A request whose body comes byte by byte, 5 ms apart. */
    private static HttpServletRequest slow() {
        ServletInputStream body = new ServletInputStream() {
            private int sent;

            @Override
            public int read() {
                try {
                    TimeUnit.MILLISECONDS.sleep(5);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return sent++ < LENGTH ? 'x' : -1;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
                int one = read();
                bytes[offset] = (byte) one;
                return one < 0 ? -1 : 1;
            }

            @Override
            public boolean isFinished() {
                return sent > LENGTH;
            }

            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public void setReadListener(ReadListener listener) {
                throw new UnsupportedOperationException();
            }
        };
        return (HttpServletRequest) Proxy.newProxyInstance(
                RequestBodyTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getInputStream" -> body;
                    case "getContentLengthLong" -> (long) LENGTH;
                    default -> null;
                });
    }

    private static RequestBody.Kind read(ReceiveLimits receiving) throws IOException {
        try (Spool spool = Spool.of(1000)) {
            return RequestBody.read(slow(), spool, receiving);
        }
    }

    @Test
    void aBodyThatTakesTooLongIsRefused() throws IOException {
        assertThat(read(ReceiveLimits.within(Duration.ofMillis(20), 0))).isEqualTo(RequestBody.Kind.TOO_SLOW);
    }

    @Test
    void aBodyThatTricklesInIsRefused() throws IOException {
        assertThat(read(ReceiveLimits.within(Duration.ofMinutes(1), 1000).withGrace(Duration.ofMillis(20))))
                .isEqualTo(RequestBody.Kind.TOO_SLOW);
    }

    @Test
    void aBodyThatIsFastEnoughIsRead() throws IOException {
        assertThat(read(ReceiveLimits.standard())).isEqualTo(RequestBody.Kind.SPOOLED);
    }
}
