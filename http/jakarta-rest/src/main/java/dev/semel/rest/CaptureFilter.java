package dev.semel.rest;

import dev.semel.rest.message.Messages;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;

/**
 * Captures the response of a guarded request. A filter sees every response, and an interceptor the bytes of those that have
 * an entity.
 */
final class CaptureFilter implements ContainerResponseFilter, WriterInterceptor {

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        RestExchange exchange = RestExchange.of(request);
        if (exchange != null) {
            exchange.answer(response);
        }
    }

    @Override
    public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
        RestExchange exchange = RestExchange.of(context.getProperty(RestExchange.PROPERTY));
        if (Messages.isReady(context)) {
            context.getOutputStream().write((byte[]) context.getEntity());
        } else if (exchange == null) {
            context.proceed();
        } else {
            exchange.write(context);
        }
    }
}
