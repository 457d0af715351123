package dev.semel.servlet;

import dev.semel.http.shadow.ShadowBody;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;

/** A body on its way from the container to the application. */
final class ShadowInputStream extends ServletInputStream {

    private final ServletInputStream in;
    private final ShadowBody seen;

    ShadowInputStream(ServletInputStream in, ShadowBody seen) {
        this.in = in;
        this.seen = seen;
    }

    @Override
    public int read() throws IOException {
        int read = in.read();
        if (read < 0) {
            seen.end();
        } else {
            seen.add(new byte[] {(byte) read}, 0, 1);
        }
        return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = in.read(bytes, offset, length);
        if (read < 0) {
            seen.end();
        } else {
            seen.add(bytes, offset, read);
        }
        return read;
    }

    @Override
    public int available() throws IOException {
        return in.available();
    }

    @Override
    public boolean isFinished() {
        return in.isFinished();
    }

    @Override
    public boolean isReady() {
        return in.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
        in.setReadListener(listener);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
