package dev.semel.gateway.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.AttributeKey;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.core.transport.Transport;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The connections of all clients, from the moment at which they are accepted. With TLS, Vert.x reports a connection only
 * when the client has said which version of HTTP it speaks; one that never does would keep it forever.
 *
 * <p>There is always room for one more: when there are too many, those close that have waited longest for their
 * first request, then those that have rested longest, then those whose request has no key.
 */
public final class AcceptedConnections extends NioTransport implements Transport {

    /** Closing many at once makes it cheap to find them: one in so many. */
    private static final int CLOSED_AT_ONCE = 16;

    private static final AttributeKey<Client> CLIENT = AttributeKey.valueOf(AcceptedConnections.class, "client");

    private final Set<Client> clients = ConcurrentHashMap.newKeySet();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final int most;

    public AcceptedConnections(int most) {
        this.most = most;
    }

    /** In the order in which they are closed; what is protected never is. */
    private enum Doing {
        ARRIVING,
        RESTING,
        PASSING,
        PROTECTED
    }

    /** The state of a connection, and since when. */
    private record Phase(Doing doing, long since) {

        Phase(Doing doing) {
            this(doing, System.nanoTime());
        }
    }

    private static final class Client {

        private final Channel channel;
        private volatile Phase phase = new Phase(Doing.ARRIVING);
        private long unsent;
        private long unsentSince;

        private Client(Channel channel) {
            this.channel = channel;
        }

        /** Whether the client has read nothing of what there is for it for this long. */
        private boolean isStuck(long now, Duration limit) {
            ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
            long pending = buffer == null ? 0 : buffer.totalPendingWriteBytes();
            if (pending == 0 || pending != unsent) {
                unsent = pending;
                unsentSince = now;
            }
            return now - unsentSince > limit.toNanos();
        }

        /** Closes the connection at once. Vert.x would wait until the client has read everything. */
        private void cut() {
            channel.eventLoop()
                    .execute(() -> channel.unsafe().close(channel.unsafe().voidPromise()));
        }
    }

    /** Closes, from now on, what has waited for its first request, or not read its response, for longer than the limit. */
    public void watch(Vertx vertx, Duration limit) {
        vertx.setPeriodic(IdleWatch.period(limit), timer -> {
            long now = System.nanoTime();
            for (Client client : clients) {
                Phase phase = client.phase;
                if (client.isStuck(now, limit)
                        || (phase.doing == Doing.ARRIVING && now - phase.since > limit.toNanos())) {
                    client.cut();
                }
            }
        });
    }

    /** Closes a connection at once, whatever its client has still to read. */
    void cut(HttpConnection connection) {
        Client client = clientOf(connection);
        if (client != null) {
            client.cut();
        }
    }

    /** Notes that a request has arrived. */
    void passing(HttpConnection connection) {
        enter(connection, Doing.PASSING);
    }

    /** Notes that a request has arrived for which there must be room. */
    void protect(HttpConnection connection) {
        enter(connection, Doing.PROTECTED);
    }

    /** Notes that no request is under way any more. */
    void resting(HttpConnection connection) {
        enter(connection, Doing.RESTING);
    }

    private void enter(HttpConnection connection, Doing doing) {
        Client client = clientOf(connection);
        if (client != null && (doing != Doing.PASSING || client.phase.doing != Doing.PROTECTED)) {
            client.phase = new Phase(doing);
        }
    }

    private static @Nullable Client clientOf(HttpConnection connection) {
        return connection instanceof ConnectionBase base
                ? base.channel().attr(CLIENT).get()
                : null;
    }

    private void opened(Channel channel) {
        Client client = new Client(channel);
        channel.attr(CLIENT).set(client);
        clients.add(client);
        channel.closeFuture().addListener(closed -> {
            clients.remove(client);
            open.decrementAndGet();
        });
        if (open.incrementAndGet() > most && closing.compareAndSet(false, true)) {
            try {
                makeRoom(client);
            } finally {
                closing.set(false);
            }
        }
    }

    private void makeRoom(Client latest) {
        record Candidate(Client client, Phase phase) {}

        List<Candidate> candidates = clients.stream()
                .filter(client -> client != latest && client.channel.isOpen())
                .map(client -> new Candidate(client, client.phase))
                .filter(candidate -> candidate.phase.doing != Doing.PROTECTED)
                .sorted(Comparator.comparing((Candidate candidate) -> candidate.phase.doing)
                        .thenComparing(candidate -> candidate.phase.since))
                .limit(Math.max(1, most / CLOSED_AT_ONCE))
                .toList();
        candidates.forEach(candidate -> candidate.client.cut());
        if (candidates.isEmpty()) {
            latest.cut();
        }
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        return domainSocket ? super.serverChannelFactory(true) : Listener::new;
    }

    /** Accepts connections, and writes each down. */
    private final class Listener extends NioServerSocketChannel {

        @Override
        protected int doReadMessages(List<Object> accepted) throws Exception {
            int known = accepted.size();
            int count = super.doReadMessages(accepted);
            for (Object each : accepted.subList(known, accepted.size())) {
                if (each instanceof Channel channel) {
                    channel.pipeline().addLast(new Registration());
                }
            }
            return count;
        }
    }

    private final class Registration extends ChannelInboundHandlerAdapter {

        /** Once: Vert.x says that a connection is active once more when it knows which HTTP is spoken. */
        @Override
        public void channelActive(ChannelHandlerContext context) {
            opened(context.channel());
            context.fireChannelActive();
            context.pipeline().remove(this);
        }
    }

    @Override
    public String name() {
        return "nio";
    }

    @Override
    public boolean available() {
        return true;
    }

    @Override
    public Throwable unavailabilityCause() {
        return Transport.NIO.unavailabilityCause();
    }

    @Override
    public io.vertx.core.spi.transport.Transport implementation() {
        return this;
    }
}
