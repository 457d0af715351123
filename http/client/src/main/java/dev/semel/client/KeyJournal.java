package dev.semel.client;

import dev.semel.client.journal.BegunOperation;
import dev.semel.client.journal.JournalFile;
import dev.semel.client.journal.JournalLine;
import dev.semel.client.journal.SecretHeaders;
import dev.semel.client.journal.UnusableJournalException;
import dev.semel.client.sending.CallerThreads;
import dev.semel.client.sending.SendHistory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of the operations that were started and not answered, so that they can be resumed under the same key
 * after a crash. An operation is on the disk before it is sent. The file belongs to one process at a time.
 */
public final class KeyJournal implements AutoCloseable {

    private static final long MIN_GARBAGE = 1 << 20;
    private static final Logger LOG = LoggerFactory.getLogger(KeyJournal.class);

    /** A line to be written, or a request to stop if it has none. */
    private record Write(byte @Nullable [] line, boolean force, CompletableFuture<Void> written) {}

    private record Entry(BegunOperation operation, int size, CompletableFuture<Void> written, SendHistory history) {}

    /** The state of an operation's requests, one of which starts when the operation is on disk. */
    record Begun(SendHistory history, CompletionStage<Void> written) {}

    private final Path path;
    private final JournalFile file;
    private final SecretHeaders secrets;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final BlockingQueue<Write> queue = new LinkedBlockingQueue<>();
    private final Thread writer;
    private long garbage;
    private boolean closed;
    private @Nullable JournalException broken;

    private KeyJournal(Path path, JournalFile file, SecretHeaders secrets) throws IOException {
        this.path = path;
        this.file = file;
        this.secrets = secrets;
        boolean ended = false;
        for (JournalLine line : file.read()) {
            BegunOperation begun = line.begun();
            ended |= begun == null;
            if (begun == null) {
                entries.remove(line.key());
            } else {
                SendHistory history = SendHistory.resumed(begun.since(), begun.expires());
                entries.put(
                        line.key(), new Entry(begun, line.size(), CompletableFuture.completedFuture(null), history));
            }
        }
        if (ended) {
            file.rewrite(lines());
        }
        file.syncDirectory();
        this.writer = new Thread(this::write, "semel-journal");
        writer.setDaemon(true);
        writer.start();
    }

    /**
     * Opens or creates a journal.
     *
     * @param secretHeaders headers that are not written to the file, besides those whose names say that they are secret
     *     ({@code Authorization}, {@code Cookie}, and names with words like {@code token} or {@code api-key})
     * @throws JournalException if it is open already, or cannot be read
     */
    public static KeyJournal open(Path path, String... secretHeaders) {
        Set<String> names = new HashSet<>();
        for (String name : secretHeaders) {
            names.add(name.toLowerCase(Locale.ROOT));
        }
        JournalFile file = null;
        try {
            file = JournalFile.open(path);
            return new KeyJournal(path, file, new SecretHeaders(names));
        } catch (IOException | RuntimeException e) {
            closeQuietly(file, e);
            if (e instanceof RuntimeException bug) {
                throw bug;
            }
            throw new JournalException(
                    e instanceof UnusableJournalException
                            ? String.valueOf(e.getMessage())
                            : "cannot open the journal " + path + ": " + e,
                    e);
        }
    }

    private static void closeQuietly(@Nullable JournalFile file, Exception cause) {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /**
     * The operations that this process or an earlier one started, that have no answer, and that are not being sent at
     * the moment.
     */
    public synchronized List<UnfinishedOperation> unfinished() {
        return entries.values().stream()
                .filter(entry -> !entry.history.isActive())
                .map(entry -> new UnfinishedOperation(entry.operation))
                .toList();
    }

    /** Removes an operation that you have dealt with. Returns when the change is on disk. */
    public void forget(String key) {
        end(key, true).toCompletableFuture().join();
    }

    /** Writes an operation to the file, unless it is already there. */
    synchronized Begun begin(HttpOperation operation, byte[] body, Instant now) {
        BegunOperation begun = BegunOperation.of(
                operation.key(), now, operation.method(), operation.uri(), operation.headers(), body, secrets);
        Entry existing = entries.get(operation.key());
        if (existing != null && !existing.operation.sameRequest(begun)) {
            throw new IllegalArgumentException("key " + operation.key() + " belongs to " + existing.operation
                    + " already, which has no answer yet and differs from " + operation
                    + ": another operation needs another key");
        }
        Entry entry = existing != null ? existing : newEntry(begun, operation.history());
        entry.history.begin(now);
        entries.put(operation.key(), entry);
        // A copy, because a caller that cancels its send must not end the wait of others.
        return new Begun(entry.history, entry.written.copy());
    }

    private Entry newEntry(BegunOperation begun, SendHistory history) {
        byte[] line = JournalLine.begin(begun);
        return new Entry(begun, line.length, enqueue(line, true).written(), history);
    }

    /** Records until when the server keeps the key of an operation; completes when this is on disk. */
    synchronized CompletionStage<Void> expires(String key, Instant expires) {
        Entry entry = entries.get(key);
        if (entry == null || expires.equals(entry.operation.expires())) {
            return CompletableFuture.completedFuture(null);
        }
        Entry known = newEntry(entry.operation.expiringAt(expires), entry.history);
        garbage += entry.size;
        entries.put(key, known);
        return known.written;
    }

    /** Ends a send that was not applied. The operation stays if another send of it may have been. */
    synchronized CompletionStage<Void> withdraw(String key, SendHistory history) {
        history.end(false);
        Entry entry = entries.get(key);
        return entry != null && entry.history == history && history.nothingApplied()
                ? end(key, true)
                : CompletableFuture.completedFuture(null);
    }

    /** Records that an operation is answered; with {@code wait}, the stage completes when this is on disk. */
    synchronized CompletionStage<Void> end(String key, boolean wait) {
        Entry entry = entries.remove(key);
        if (entry == null) {
            return CompletableFuture.completedFuture(null);
        }
        byte[] line = JournalLine.end(key);
        garbage += entry.size + line.length;
        CompletableFuture<Void> written = enqueue(line, wait).written();
        return wait ? written : CompletableFuture.completedFuture(null);
    }

    private Write enqueue(byte @Nullable [] line, boolean force) {
        Write write = new Write(line, force, new CompletableFuture<>());
        if (closed || broken != null) {
            write.written.completeExceptionally(
                    broken != null ? broken : new JournalException("the journal " + path + " is closed", null));
        } else {
            queue.add(write);
        }
        return write;
    }

    /** The thread of this journal: everything that waits goes to the disk together. */
    private void write() {
        List<Write> batch = new ArrayList<>();
        boolean stop = false;
        while (!stop) {
            batch.clear();
            try {
                batch.add(queue.take());
            } catch (InterruptedException e) {
                // Only this class has this thread, and does not interrupt it.
                throw new IllegalStateException(e);
            }
            queue.drainTo(batch);
            stop = batch.stream().anyMatch(write -> write.line == null);
            write(batch);
        }
    }

    private void write(List<Write> batch) {
        try {
            JournalException failed = failure();
            if (failed != null) {
                throw failed;
            }
            List<byte[]> lines = new ArrayList<>();
            for (Write write : batch) {
                if (write.line != null) {
                    lines.add(write.line);
                }
            }
            file.append(lines, batch.stream().anyMatch(Write::force));
            // Not on this thread: what waits for a line may write the next one.
            batch.forEach(write -> CallerThreads.EXECUTOR.execute(() -> write.written.complete(null)));
            compact();
        } catch (IOException | RuntimeException e) {
            JournalException failed = e instanceof JournalException known
                    ? known
                    : new JournalException(
                            "cannot write the journal " + path + ": " + e
                                    + ". Nothing is sent any more; open it again when that is fixed",
                            e);
            synchronized (this) {
                broken = failed;
            }
            batch.forEach(write -> CallerThreads.EXECUTOR.execute(() -> write.written.completeExceptionally(failed)));
        }
    }

    private synchronized @Nullable JournalException failure() {
        return broken;
    }

    private void compact() throws IOException {
        List<byte[]> live;
        synchronized (this) {
            if (garbage < MIN_GARBAGE || garbage * 2 < file.size()) {
                return;
            }
            garbage = 0;
            // What is in the queue will be written once more, which changes nothing.
            live = lines();
        }
        file.rewrite(live);
        LOG.debug("the journal {} was compacted to {} operations", path, live.size());
    }

    private List<byte[]> lines() {
        return entries.values().stream()
                .map(entry -> JournalLine.begin(entry.operation))
                .toList();
    }

    /** Closes the file. Operations without an answer stay in it. */
    @Override
    public void close() {
        CompletableFuture<Void> stopped;
        synchronized (this) {
            if (closed) {
                return;
            }
            Write last = new Write(null, true, new CompletableFuture<>());
            queue.add(last);
            stopped = last.written;
            closed = true;
        }
        stopped.handle((done, failure) -> null).join();
        boolean interrupted = false;
        while (writer.isAlive()) {
            try {
                writer.join();
            } catch (InterruptedException e) {
                // The thread has nothing left to do, and the lock must be given back.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        try {
            file.close();
        } catch (IOException e) {
            throw new JournalException("cannot close the journal " + path + ": " + e, e);
        }
    }
}
