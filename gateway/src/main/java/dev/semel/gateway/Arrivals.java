package dev.semel.gateway;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Connections on which no complete request has arrived yet. With TLS, Vert.x tells of a connection only when the client has
 * said which version of HTTP it speaks; one that never does would keep it for ever.
 */
final class Arrivals implements Transport, io.vertx.core.spi.transport.Transport {

    private final io.vertx.core.spi.transport.Transport nio = Transport.NIO.implementation();
    private final Map<Ends, Arrival> waiting = new ConcurrentHashMap<>();

    private record Arrival(Channel channel, long at) {}

    /** Both, because a client can use one address of its own for connections to several of the gateway's. */
    private record Ends(SocketAddress local, SocketAddress remote) {}

    /** Closes, from now on, what has waited for longer than the limit. */
    void watch(Vertx vertx, Duration limit) {
        vertx.setPeriodic(IdleWatch.period(limit), timer -> {
            long now = System.nanoTime();
            waiting.values().stream()
                    .filter(arrival -> now - arrival.at > limit.toNanos())
                    .forEach(arrival -> arrival.channel.close());
        });
    }

    /** Notes that a request has arrived. */
    void arrived(HttpConnection connection) {
        waiting.remove(new Ends(connection.localAddress(true), connection.remoteAddress(true)));
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        return domainSocket ? nio.serverChannelFactory(true) : Listener::new;
    }

    /** Accepts connections, and writes each down. */
    private final class Listener extends NioServerSocketChannel {

        @Override
        protected int doReadMessages(List<Object> accepted) throws Exception {
            int count = super.doReadMessages(accepted);
            for (Object each : accepted) {
                if (each instanceof Channel channel) {
                    channel.pipeline().addLast(new Registration());
                }
            }
            return count;
        }
    }

    private final class Registration extends ChannelInboundHandlerAdapter {

        @Override
        public void channelActive(ChannelHandlerContext context) throws Exception {
            Channel channel = context.channel();
            SocketAddress local = nio.convert(channel.localAddress());
            SocketAddress remote = nio.convert(channel.remoteAddress());
            if (local != null && remote != null) {
                Ends ends = new Ends(local, remote);
                waiting.put(ends, new Arrival(channel, System.nanoTime()));
                channel.closeFuture().addListener(closed -> waiting.remove(ends));
            }
            super.channelActive(context);
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

    @Override
    public java.net.SocketAddress convert(SocketAddress address) {
        return nio.convert(address);
    }

    @Override
    public SocketAddress convert(java.net.SocketAddress address) {
        return nio.convert(address);
    }

    @Override
    public boolean supportsDomainSockets() {
        return nio.supportsDomainSockets();
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
        return nio.ioHandlerFactory();
    }

    @Override
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
        return nio.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends DatagramChannel> datagramChannelFactory() {
        return nio.datagramChannelFactory();
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
        return nio.channelFactory(domainSocket);
    }
}
