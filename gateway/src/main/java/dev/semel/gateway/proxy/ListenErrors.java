package dev.semel.gateway.proxy;

import dev.semel.gateway.config.ConfigException;
import io.vertx.core.Future;
import java.io.IOException;

/** Says which address it is that cannot be listened on, and what sets it. */
public final class ListenErrors {

    private ListenErrors() {}

    public static <T> Future<T> on(String address, String option, Future<T> listening) {
        return listening.recover(failure -> Future.failedFuture(
                failure instanceof IOException
                        ? new ConfigException("cannot listen on " + address + " (" + failure.getMessage()
                                + "); choose another address with " + option)
                        : failure));
    }
}
