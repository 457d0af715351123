package dev.semel.torture.door;

import dev.semel.Key;
import dev.semel.Outcome;
import dev.semel.torture.broker.Broker;
import dev.semel.torture.broker.DeadMessage;
import dev.semel.torture.broker.MessageQueue;
import dev.semel.torture.broker.StoredEnd;
import dev.semel.torture.process.DaemonThreads;
import dev.semel.torture.service.ServiceReply;
import dev.semel.torture.service.ServiceReply.Kind;
import dev.semel.torture.service.ServiceRequest;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A client that sends a message once, until the broker has it. Then it looks up at a node how the message has ended, until it
 * learns that, or the message is among the dead letters.
 */
public final class MessageClient implements ClientSide, AutoCloseable {

    private static final long LOOK_EVERY_MILLIS = 60;
    private static final long SEND_AGAIN_MILLIS = 200;
    private static final Duration DRAIN = Duration.ofSeconds(45);
    private static final Duration LOOK_UP = Duration.ofSeconds(2);

    private final Broker broker;
    private final ClientSide lookUps;
    private final ScheduledExecutorService later = Executors.newScheduledThreadPool(2, DaemonThreads.named("look-ups"));
    private final Map<String, Sent> messages = new ConcurrentHashMap<>();
    private final Map<Key, ServiceReply> letters = new ConcurrentHashMap<>();
    private volatile BiConsumer<ServiceRequest, ServiceReply> onLateLetter = (request, reply) -> {};

    public MessageClient(Broker broker, HttpClient http) {
        this.broker = broker;
        this.lookUps = new EngineClient(http);
        broker.onDeadLetter(this::take);
    }

    /** A message, and what is known of its end. */
    private static final class Sent {

        final ServiceRequest request;
        final CompletableFuture<ServiceReply> reply;
        volatile boolean handled;
        volatile boolean dead;

        Sent(ServiceRequest request, CompletableFuture<ServiceReply> reply) {
            this.request = request;
            this.reply = reply;
        }
    }

    /** Gets a dead letter whose sender has got another answer before, or has given up. */
    public void onLateLetter(BiConsumer<ServiceRequest, ServiceReply> listener) {
        onLateLetter = listener;
    }

    @Override
    public CompletableFuture<ServiceReply> ask(int port, ServiceRequest request, Duration patience) {
        CompletableFuture<ServiceReply> reply = limited(patience);
        Sent message = new Sent(request, reply);
        messages.put(request.id(), message);
        send(request);
        lookLater(port, request, reply, null);
        return reply.thenApply(told -> {
            message.handled |= isHandled(told);
            return told;
        });
    }

    /** Only looks: a message that was sent can be relied on. */
    @Override
    public CompletableFuture<ServiceReply> askAgain(int port, ServiceRequest request, Duration patience) {
        CompletableFuture<ServiceReply> reply = limited(patience);
        look(port, request, reply, letters.get(Key.of(request.scope(), request.key())));
        return reply;
    }

    @Override
    public byte[] told(Outcome outcome) {
        return StoredEnd.bytes(outcome);
    }

    private static CompletableFuture<ServiceReply> limited(Duration patience) {
        return new CompletableFuture<ServiceReply>().orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Until the broker has it: what it has not confirmed may be lost. */
    private void send(ServiceRequest request) {
        MessageQueue queue = new MessageQueue(request.operation(), request.scope());
        broker.send(queue, request.headers(), request.body()).whenComplete((sent, failure) -> {
            if (failure != null) {
                later.schedule(() -> send(request), SEND_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
            }
        });
    }

    private void lookLater(
            int port, ServiceRequest request, CompletableFuture<ServiceReply> reply, @Nullable ServiceReply letter) {
        later.schedule(() -> look(port, request, reply, letter), LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** @param letter what counts if nothing is stored: an operator may have freed the key since */
    private void look(
            int port, ServiceRequest request, CompletableFuture<ServiceReply> reply, @Nullable ServiceReply letter) {
        if (reply.isDone()) {
            return;
        }
        lookUps.ask(port, request, LOOK_UP).whenComplete((found, failure) -> {
            if (failure != null) {
                reply.completeExceptionally(failure);
            } else if (found.kind() == Kind.NOT_STARTED && letter != null) {
                reply.complete(letter);
            } else if (found.kind() == Kind.NOT_STARTED || found.kind() == Kind.IN_FLIGHT) {
                lookLater(port, request, reply, letter);
            } else {
                reply.complete(found);
            }
        });
    }

    private void take(DeadMessage letter) {
        ServiceRequest request = letter.request();
        ServiceReply reply = letter.reply();
        letters.put(Key.of(request.scope(), request.key()), reply);
        Sent message = Objects.requireNonNull(messages.get(request.id()), request.id());
        message.dead = true;
        if (!message.reply.complete(reply)) {
            onLateLetter.accept(request, reply);
        }
    }

    private static boolean isHandled(ServiceReply reply) {
        return reply.kind() == Kind.REPLAYED
                && new String(reply.body(), StandardCharsets.UTF_8).equals(StoredEnd.HANDLED);
    }

    /** Messages that were neither handled nor sent to the dead letters, when no more are under way. */
    public List<String> lost(int port) throws Exception {
        List<String> lost = new ArrayList<>();
        for (Sent message : messages.values()) {
            ServiceRequest request = message.request;
            if (!message.handled
                    && !message.dead
                    && !isHandled(lookUps.ask(port, request, LOOK_UP).get())) {
                lost.add("message " + request.id() + " of " + request.scope() + "/" + request.key()
                        + " was neither handled nor sent to the dead letters");
            }
        }
        return lost;
    }

    /** Waits until consumers have acknowledged every message; how many are left if that takes too long. */
    public long drain() throws Exception {
        long deadline = System.nanoTime() + DRAIN.toNanos();
        long waiting = broker.waiting();
        while (waiting > 0 && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
            waiting = broker.waiting();
        }
        return waiting;
    }

    @Override
    public void close() {
        later.shutdownNow();
    }
}
