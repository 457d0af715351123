package dev.semel.servlet;

import dev.semel.http.shadow.ShadowBody;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.FilterReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request whose body is looked at while the application reads it, at the application's own pace. */
final class ShadowRequest extends HttpServletRequestWrapper {

    private final ShadowBody seen;
    private @Nullable ServletInputStream stream;
    private @Nullable BufferedReader reader;
    private volatile boolean parsed;

    ShadowRequest(HttpServletRequest request, ShadowBody seen) {
        super(request);
        this.seen = seen;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        ServletInputStream own = super.getInputStream();
        if (stream == null) {
            stream = new ShadowInputStream(own, seen);
        }
        return stream;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        BufferedReader own = super.getReader();
        if (reader == null) {
            reader = new BufferedReader(new SeenReader(own, seen));
        }
        return reader;
    }

    @Override
    public @Nullable String getParameter(String name) {
        parsed = true;
        return super.getParameter(name);
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        parsed = true;
        return super.getParameterMap();
    }

    @Override
    public Enumeration<String> getParameterNames() {
        parsed = true;
        return super.getParameterNames();
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        parsed = true;
        return super.getParameterValues(name);
    }

    /** Whatever the application has let the container parse stands for the body. Must not make the container read. */
    void end() throws IOException, ServletException {
        ServletInputStream read = stream;
        if (read != null && read.isFinished()) {
            seen.end();
        }
        if (parsed && seen.size() == 0 && RequestBody.isOf(getContentType(), RequestBody.FORM)) {
            seen.parsed(RequestBody.listing(super.getParameterMap()));
        }
    }

    /** Characters on their way to the application. */
    private static final class SeenReader extends FilterReader {

        private final ShadowBody seen;

        SeenReader(BufferedReader reader, ShadowBody seen) {
            super(reader);
            this.seen = seen;
        }

        @Override
        public int read(char[] characters, int offset, int length) throws IOException {
            int read = super.read(characters, offset, length);
            if (read < 0) {
                seen.end();
            } else {
                byte[] bytes = new String(characters, offset, read).getBytes(StandardCharsets.UTF_8);
                seen.add(bytes, 0, bytes.length);
            }
            return read;
        }
    }
}
