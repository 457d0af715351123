package dev.semel.gateway.framing;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;

/**
 * Breaks off a connection to the upstream when the end of a response is ambiguous, or when more comes than a response.
 * The bytes of one response never become another's: no connection is used again on which a body may still come.
 */
public final class ResponseGuard extends ChannelInboundHandlerAdapter {

    private final ResponseFraming framing;
    private boolean broken;

    private ResponseGuard(int maxHead) {
        this.framing = new ResponseFraming(maxHead);
    }

    /** Guards a connection to the upstream, before the first request is sent on it. */
    public static void guard(HttpConnection connection, int maxHeader) {
        ResponseGuard guard = new ResponseGuard(Pipeline.maxHead(maxHeader));
        Pipeline.guard(connection, HttpClientCodec.class, guard, guard.new Messages());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (broken) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof ByteBuf bytes) {
            try {
                framing.take(bytes);
            } catch (FramingException e) {
                broken = true;
                bytes.release();
                context.fireExceptionCaught(e);
                context.close();
                return;
            }
        }
        context.fireChannelRead(message);
    }

    /** Notes the requests, and has the connection closed after a response without a body that says it has one. */
    private final class Messages extends ChannelDuplexHandler {

        private boolean toHead;

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
            if (message instanceof HttpRequest request) {
                toHead = request.method().equals(HttpMethod.HEAD);
                framing.sent(toHead);
            }
            super.write(context, message, promise);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
            if (message instanceof HttpResponse response && (toHead || saysThatItHasABody(response))) {
                response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            }
            super.channelRead(context, message);
        }

        private boolean saysThatItHasABody(HttpResponse response) {
            boolean bodiless = response.status().equals(HttpResponseStatus.NO_CONTENT)
                    || response.status().equals(HttpResponseStatus.NOT_MODIFIED);
            String length = response.headers().get(HttpHeaderNames.CONTENT_LENGTH, "0");
            return bodiless && (!length.equals("0") || framing.declaredCoding());
        }
    }
}
