package dev.semel.servlet;

import dev.semel.http.spool.Spool;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body comes from a spool, and whose asynchronous end is known to the exchange. Without an exchange it
 * cannot be made asynchronous.
 */
final class BufferedRequest extends HttpServletRequestWrapper {

    private final @Nullable ServletExchange exchange;
    private final CapturedResponse response;
    private final Spool body;
    private final boolean bodySpooled;
    private @Nullable ServletInputStream stream;
    private @Nullable BufferedReader reader;
    private @Nullable Map<String, String[]> parameters;

    BufferedRequest(
            HttpServletRequest request,
            @Nullable ServletExchange exchange,
            CapturedResponse response,
            Spool body,
            boolean bodySpooled) {
        super(request);
        this.exchange = exchange;
        this.response = response;
        this.body = body;
        this.bodySpooled = bodySpooled;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        if (!bodySpooled) {
            return super.getInputStream();
        }
        if (reader != null) {
            throw new IllegalStateException("getReader has been called for this request");
        }
        if (stream == null) {
            stream = new SpoolInputStream(body.open(), this::runInContainer);
        }
        return stream;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        if (!bodySpooled) {
            return super.getReader();
        }
        if (stream != null) {
            throw new IllegalStateException("getInputStream has been called for this request");
        }
        if (reader == null) {
            reader = new BufferedReader(new InputStreamReader(body.open(), charset()));
        }
        return reader;
    }

    private void runInContainer(Runnable task) {
        getAsyncContext().start(task);
    }

    private Charset charset() {
        String name = getCharacterEncoding();
        return name == null ? StandardCharsets.UTF_8 : Charset.forName(name);
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        if (parameters == null) {
            Map<String, String[]> query = super.getParameterMap();
            parameters = bodySpooled && RequestBody.isOf(getContentType(), RequestBody.FORM)
                    ? FormParameters.merge(query, body.bytes(), charset())
                    : query;
        }
        return Collections.unmodifiableMap(parameters);
    }

    @Override
    public @Nullable String getParameter(String name) {
        String[] values = getParameterMap().get(name);
        return values == null ? null : values[0];
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(getParameterMap().keySet());
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        return getParameterMap().get(name);
    }

    @Override
    public boolean isAsyncSupported() {
        return exchange != null && super.isAsyncSupported();
    }

    @Override
    public AsyncContext startAsync() {
        // The container must come back with this pair, or the response would escape.
        return requireExchange().startAsync(super.startAsync(this, response), this, response, true);
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        return requireExchange().startAsync(super.startAsync(request, response), request, response, false);
    }

    @Override
    public AsyncContext getAsyncContext() {
        AsyncContext held = exchange == null ? null : exchange.asyncContext();
        return held == null ? super.getAsyncContext() : held;
    }

    private ServletExchange requireExchange() {
        if (exchange == null) {
            throw new IllegalStateException(
                    "a handler whose outcome is stored in its transaction cannot be asynchronous:"
                            + " a transaction belongs to one thread");
        }
        return exchange;
    }
}
