package dev.semel.servlet;

import dev.semel.Header;
import dev.semel.http.HandlerResponse;
import dev.semel.http.HttpRules;
import dev.semel.http.Reply;
import dev.semel.http.dialect.Dialect;
import dev.semel.http.problem.Answer;
import dev.semel.http.spool.Spool;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Captures the handler's response, over all dispatches of its request, and holds it back until the outcome is stored. A
 * response that becomes too large to store goes straight to the client, unless everything must be held.
 */
final class Capture {

    private static final Logger LOG = LoggerFactory.getLogger(Capture.class);

    private static final int INTERNAL_SERVER_ERROR = 500;

    final ResponseHead head = new ResponseHead();
    private final Spool spool;
    private final long kept;
    private final Dialect dialect;
    private volatile @Nullable HttpServletResponse target;
    private @Nullable PrintWriter writer;
    private @Nullable SentError error;
    private @Nullable IOException lost;
    private boolean streaming;
    private volatile boolean answered;
    private boolean closed;

    /** The arguments of {@code sendError}. */
    record SentError(int status, @Nullable String message) {

        void sendTo(HttpServletResponse response) throws IOException {
            if (message == null) {
                response.sendError(status);
            } else {
                response.sendError(status, message);
            }
        }
    }

    private Capture(Spool spool, HttpRules rules) {
        this.spool = spool;
        this.kept = rules.policy().maxPayload();
        this.dialect = rules.dialect();
    }

    /** Lets a response go that is too large to be kept. */
    static Capture streaming(HttpRules rules) {
        return new Capture(Spool.of(rules.policy().maxPayload()), rules);
    }

    /** Lets nothing go before {@link #commit}, however large it is. */
    static Capture holding(HttpRules rules) {
        return new Capture(Spool.of(Long.MAX_VALUE), rules);
    }

    /** From here on, a response that is too large to keep goes to this one. */
    void attach(HttpServletResponse response) {
        if (!answered) {
            target = response;
        }
    }

    /**
     * Gives the client its answer before the handler runs: the handler's output is only stored. The claim is durable,
     * so the handler runs whether or not the client is still there.
     */
    void answerEarly(Answer answer, HttpServletResponse response, boolean ownConnection) {
        answered = true;
        try {
            if (ownConnection) {
                // The next request on it would wait for this handler.
                response.setHeader("Connection", "close");
            }
            Answers.write(answer, response);
            response.flushBuffer();
        } catch (IOException e) {
            LOG.debug("the client left before its answer was written", e);
        }
    }

    boolean isAnswered() {
        return answered;
    }

    /** The client is gone: output that is too large to keep is discarded. */
    void detach() {
        target = null;
    }

    boolean isStreaming() {
        return streaming;
    }

    void write(byte[] bytes, int offset, int length) throws IOException {
        if (closed || (!streaming && keep(bytes, offset, length))) {
            return;
        }
        if (!streaming) {
            streaming = true;
            pass(response -> {
                head.applyTo(response);
                spool.writeTo(response.getOutputStream());
            });
        }
        pass(response -> response.getOutputStream().write(bytes, offset, length));
    }

    private boolean keep(byte[] bytes, int offset, int length) throws IOException {
        requireKept();
        try {
            return spool.offer(bytes, offset, length);
        } catch (IOException e) {
            lost = e;
            throw e;
        }
    }

    /** Not every writer notices: a {@link PrintWriter} hides exceptions. */
    private void requireKept() throws IOException {
        if (lost != null) {
            throw new IOException("a part of the response could not be kept", lost);
        }
    }

    void flush() {
        if (streaming) {
            pass(HttpServletResponse::flushBuffer);
        }
    }

    private interface Step {
        void apply(HttpServletResponse response) throws IOException;
    }

    /** A client that has gone away does not stop the operation: only its own copy ends here. */
    private void pass(Step step) {
        HttpServletResponse response = target;
        if (response == null) {
            return;
        }
        try {
            step.apply(response);
        } catch (IOException e) {
            LOG.debug("the client went away while its response was being written", e);
            target = null;
        }
    }

    void writer(PrintWriter made) {
        writer = made;
    }

    /** Later output is ignored, as the specification requires after an error or a redirect. */
    void end() {
        flushWriter();
        closed = true;
    }

    void sendError(int status, @Nullable String message) {
        requireNotSent();
        resetBody();
        head.status(status);
        error = new SentError(status, message);
        closed = true;
    }

    @Nullable
    SentError error() {
        return error;
    }

    void resetBody() {
        requireNotSent();
        if (writer != null) {
            writer.flush();
        }
        spool.reset();
        lost = null;
    }

    void reset() {
        resetBody();
        head.reset();
        error = null;
        closed = false;
    }

    /** Makes room for the output of an error page; headers, cookies and the container's additions stay. */
    void beginErrorPage(HttpServletResponse response) {
        beginErrorBody(response.getStatus());
        for (String name : response.getHeaderNames()) {
            head.set(name, null);
            response.getHeaders(name).forEach(value -> head.add(name, value));
        }
    }

    private void beginErrorBody(int status) {
        writer = null;
        resetBody();
        head.resetBody();
        head.status(status);
        error = null;
        closed = false;
    }

    /** Makes the body for an error that is not rendered otherwise. */
    void renderProblem() {
        SentError sent = Objects.requireNonNull(error);
        beginErrorBody(sent.status());
        Answer answer = dialect.answer(sent.status(), sent.message());
        answer.headers().forEach(header -> head.set(header.name(), header.value()));
        try {
            spool.offer(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep the body of an error", e);
        }
    }

    /** The container's own answer, of which only the head is visible. No body is made for a client that is gone. */
    HandlerResponse unseen(@Nullable Throwable failure) {
        HttpServletResponse response = target;
        if (response == null) {
            SentError sent = error;
            Answer answer = dialect.answer(statusOf(failure), sent == null ? null : sent.message());
            return HandlerResponse.of(answer.status(), answer.headers(), answer.body())
                    .withFailure(failure);
        }
        try {
            return HandlerResponse.of(response.getStatus(), List.of(), null).withFailure(failure);
        } catch (RuntimeException e) {
            // Some containers take the response back before they say so.
            return HandlerResponse.of(INTERNAL_SERVER_ERROR, List.of(), null).withFailure(failure);
        }
    }

    /** The answer that the container would have sent to a client that is gone. */
    private int statusOf(@Nullable Throwable failure) {
        return failure != null || error == null ? INTERNAL_SERVER_ERROR : error.status();
    }

    private void requireNotSent() {
        if (streaming) {
            throw new IllegalStateException("the response is committed");
        }
    }

    private void flushWriter() {
        if (writer != null) {
            writer.flush();
        }
    }

    HandlerResponse toResponse(@Nullable Throwable failure) {
        flushWriter();
        return streaming || lost != null || spool.size() > kept
                ? HandlerResponse.of(head.status(), head.toHeaders(), null).withFailure(failure)
                : HandlerResponse.of(head.status(), head.toHeaders(), spool.bytes())
                        .withFailure(failure);
    }

    /** Sends the captured response. */
    void commit(HttpServletResponse response, List<Header> extra) throws IOException {
        if (streaming) {
            return;
        }
        requireKept();
        head.applyTo(response);
        Answers.addHeaders(extra, response);
        if (Answers.mayHaveBody(head.status())) {
            if (!head.has("Content-Length")) {
                response.setContentLengthLong(spool.size());
            }
            spool.writeTo(response.getOutputStream());
        }
    }

    /** Sends the reply to the request, unless the client has had its answer before. */
    void reply(Reply reply, HttpServletResponse response) throws IOException {
        if (answered) {
            return;
        }
        if (reply instanceof Reply.Own own) {
            commit(response, own.extra());
        } else if (reply instanceof Reply.Instead instead && !streaming) {
            Answers.write(instead.answer(), response);
        } else {
            throw new IOException("the handler failed after a part of its response was sent");
        }
    }

    void close() {
        spool.close();
    }
}
