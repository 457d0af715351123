package dev.semel.kafka;

import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.sql.SQLTransientException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Tells a deserialiser that could not reach another system, such as a schema registry, from one that cannot read the
 * bytes. Other exceptions of input and output say nothing: parsers throw them, too.
 */
final class PassingFailure {

    /** A cause chain may have a cycle. */
    private static final int MAX_DEPTH = 100;

    private PassingFailure() {}

    static boolean test(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
            if (cause instanceof RetriableException
                    || cause instanceof SocketException
                    || cause instanceof InterruptedIOException
                    || cause instanceof UnknownHostException
                    || cause instanceof HttpTimeoutException
                    || cause instanceof ClosedChannelException
                    || cause instanceof SSLException
                    || cause instanceof TimeoutException
                    || cause instanceof SQLTransientException) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}
