package dev.semel.gateway.framing;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/** The way of the bytes of one connection, in which a guard takes its place before and behind the decoder. */
final class Pipeline {

    private static final int SLACK = 1024;

    private Pipeline() {}

    /** More than the decoder takes: the first line and the headers have a limit each. */
    static int maxHead(int maxHeader) {
        return 2 * maxHeader + SLACK;
    }

    /** Whether the decoder is still in its place: it is taken out when a connection becomes a tunnel. */
    static boolean speaks(HttpConnection connection, Class<? extends ChannelHandler> decoder) {
        return connection instanceof ConnectionBase base
                && base.channel().pipeline().get(decoder) != null;
    }

    /** Places both, unless the connection does not speak HTTP/1.1. */
    static void guard(
            HttpConnection connection,
            Class<? extends ChannelHandler> decoder,
            ChannelHandler bytes,
            ChannelHandler messages) {
        if (!(connection instanceof ConnectionBase base)) {
            throw new IllegalStateException("a connection of an unknown kind cannot be guarded: " + connection);
        }
        ChannelPipeline pipeline = base.channel().pipeline();
        ChannelHandlerContext decoding = pipeline.context(decoder);
        if (decoding != null) {
            pipeline.addBefore(decoding.name(), "framing", bytes);
            pipeline.addBefore(base.channelHandlerContext().name(), "messages", messages);
        }
    }
}
