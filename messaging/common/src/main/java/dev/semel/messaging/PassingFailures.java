package dev.semel.messaging;

import dev.semel.util.Failures;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.sql.SQLTransientException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/**
 * Distinguishes a deserialiser that could not reach another system, such as a schema registry, from one that cannot read the
 * bytes. Other exceptions of input and output say nothing: parsers throw them, too.
 */
public final class PassingFailures {

    private static final Set<Class<? extends Exception>> TYPES = Set.of(
            SocketException.class,
            InterruptedIOException.class,
            UnknownHostException.class,
            HttpTimeoutException.class,
            ClosedChannelException.class,
            SSLException.class,
            TimeoutException.class,
            SQLTransientException.class);

    private PassingFailures() {}

    /**
     * Whether the failure is temporary, by any exception in its cause chain.
     *
     * @param more temporary exceptions of the broker's client
     */
    public static boolean include(Throwable failure, List<Class<? extends Exception>> more) {
        return Failures.causes(failure)
                .anyMatch(
                        cause -> Stream.concat(TYPES.stream(), more.stream()).anyMatch(type -> type.isInstance(cause)));
    }
}
