package dev.semel.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A response that goes into a {@link Capture}. Nothing reaches the container's response from here. */
final class CapturedResponse extends HttpServletResponseWrapper {

    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final int FOUND = 302;

    private final Capture capture;
    private final ResponseHead head;
    private final Executor container;
    private @Nullable ServletOutputStream stream;
    private @Nullable PrintWriter writer;
    private @Nullable Locale locale;

    CapturedResponse(HttpServletResponse response, Capture capture, Executor container) {
        super(response);
        this.capture = capture;
        this.head = capture.head;
        this.container = container;
    }

    HttpServletResponse original() {
        return (HttpServletResponse) getResponse();
    }

    @Override
    public ServletOutputStream getOutputStream() {
        if (writer != null) {
            throw new IllegalStateException("getWriter has been called for this response");
        }
        if (stream == null) {
            stream = new CaptureStream();
        }
        return stream;
    }

    @Override
    public PrintWriter getWriter() {
        if (stream != null) {
            throw new IllegalStateException("getOutputStream has been called for this response");
        }
        if (writer == null) {
            String charset = getCharacterEncoding();
            head.fixCharset(charset);
            writer = new PrintWriter(new OutputStreamWriter(new CaptureStream(), Charset.forName(charset)));
            capture.writer(writer);
        }
        return writer;
    }

    @Override
    public void flushBuffer() {
        if (writer != null) {
            writer.flush();
        }
        capture.flush();
    }

    @Override
    public boolean isCommitted() {
        return capture.isStreaming();
    }

    @Override
    public void reset() {
        capture.reset();
        stream = null;
        writer = null;
    }

    @Override
    public void resetBuffer() {
        capture.resetBody();
    }

    @Override
    public void sendError(int status) {
        capture.sendError(status, null);
    }

    @Override
    public void sendError(int status, @Nullable String message) {
        capture.sendError(status, message);
    }

    @Override
    public void sendRedirect(String location) {
        sendRedirect(location, FOUND, true);
    }

    @Override
    public void sendRedirect(String location, int status) {
        sendRedirect(location, status, true);
    }

    @Override
    public void sendRedirect(String location, boolean clearBuffer) {
        sendRedirect(location, FOUND, clearBuffer);
    }

    @Override
    public void sendRedirect(String location, int status, boolean clearBuffer) {
        if (clearBuffer) {
            capture.resetBody();
        }
        head.status(status);
        head.set("Location", location);
        capture.end();
    }

    @Override
    public void setStatus(int status) {
        head.status(status);
    }

    @Override
    public int getStatus() {
        return head.status();
    }

    @Override
    public void addCookie(Cookie cookie) {
        head.add(cookie);
    }

    @Override
    public boolean containsHeader(String name) {
        return getHeader(name) != null;
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        head.set(name, value);
    }

    @Override
    public void addHeader(String name, @Nullable String value) {
        if (value != null) {
            head.add(name, value);
        }
    }

    @Override
    public void setDateHeader(String name, long millis) {
        head.set(name, HTTP_DATE.format(Instant.ofEpochMilli(millis)));
    }

    @Override
    public void addDateHeader(String name, long millis) {
        head.add(name, HTTP_DATE.format(Instant.ofEpochMilli(millis)));
    }

    @Override
    public void setIntHeader(String name, int value) {
        head.set(name, Integer.toString(value));
    }

    @Override
    public void addIntHeader(String name, int value) {
        head.add(name, Integer.toString(value));
    }

    @Override
    public @Nullable String getHeader(String name) {
        List<String> own = head.values(name);
        return own.isEmpty() ? super.getHeader(name) : own.get(0);
    }

    @Override
    public Collection<String> getHeaders(String name) {
        List<String> own = head.values(name);
        return own.isEmpty() ? super.getHeaders(name) : List.copyOf(own);
    }

    @Override
    public Collection<String> getHeaderNames() {
        Set<String> names = new LinkedHashSet<>(super.getHeaderNames());
        names.addAll(head.names());
        return names;
    }

    @Override
    public void setContentType(@Nullable String type) {
        head.contentType(type);
    }

    @Override
    public @Nullable String getContentType() {
        return head.contentType();
    }

    @Override
    public void setCharacterEncoding(@Nullable String charset) {
        head.charset(charset);
    }

    @Override
    public String getCharacterEncoding() {
        String charset = head.charset();
        return charset == null ? super.getCharacterEncoding() : charset;
    }

    @Override
    public void setContentLength(int length) {
        setContentLengthLong(length);
    }

    @Override
    public void setContentLengthLong(long length) {
        head.set("Content-Length", length < 0 ? null : Long.toString(length));
    }

    @Override
    public void setLocale(Locale value) {
        locale = value;
        head.set("Content-Language", value.toLanguageTag());
    }

    @Override
    public Locale getLocale() {
        return locale == null ? super.getLocale() : locale;
    }

    /** Writing never waits: it goes to memory or a file, or, beyond the limit, blocks like any other stream. */
    private final class CaptureStream extends ServletOutputStream {

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            capture.write(bytes, offset, length);
        }

        @Override
        public void flush() {
            capture.flush();
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            container.execute(() -> {
                try {
                    listener.onWritePossible();
                } catch (IOException | RuntimeException e) {
                    listener.onError(e);
                }
            });
        }
    }
}
