package dev.semel.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Executor;

/** A body that is here already: reading it never waits. */
final class SpoolInputStream extends ServletInputStream {

    private final InputStream in;
    private final Executor container;
    private boolean finished;

    SpoolInputStream(InputStream in, Executor container) {
        this.in = in;
        this.container = container;
    }

    @Override
    public int read() throws IOException {
        int read = in.read();
        finished |= read < 0;
        return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = in.read(bytes, offset, length);
        finished |= read < 0;
        return read;
    }

    @Override
    public byte[] readNBytes(int length) throws IOException {
        byte[] taken = in.readNBytes(length);
        finished |= taken.length < length;
        return taken;
    }

    @Override
    public byte[] readAllBytes() throws IOException {
        finished = true;
        return in.readAllBytes();
    }

    @Override
    public int available() throws IOException {
        return in.available();
    }

    @Override
    public boolean isFinished() {
        return finished;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
        container.execute(() -> {
            try {
                listener.onDataAvailable();
                if (finished) {
                    listener.onAllDataRead();
                }
            } catch (IOException | RuntimeException e) {
                listener.onError(e);
            }
        });
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
