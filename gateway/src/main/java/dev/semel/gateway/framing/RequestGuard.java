package dev.semel.gateway.framing;

import dev.semel.http.problem.Answer;
import dev.semel.http.problem.Problem;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import java.nio.charset.StandardCharsets;

/**
 * Refuses a request whose end two readers may see at different places, and closes its connection: whatever follows would be
 * taken for another request. Looks at the bytes before the decoder does, and does not rely on its settings.
 */
public final class RequestGuard extends ChannelInboundHandlerAdapter {

    private final RequestFraming framing;
    private final Responses responses = new Responses();
    private boolean refused;

    private RequestGuard(int maxHead, HttpConnection connection) {
        this.framing = new RequestFraming(maxHead, () -> Pipeline.speaks(connection, HttpRequestDecoder.class));
    }

    /** Guards a client's connection, from its first byte on. */
    public static void guard(HttpConnection connection, int maxHeader) {
        RequestGuard guard = new RequestGuard(Pipeline.maxHead(maxHeader), connection);
        Pipeline.guard(connection, HttpRequestDecoder.class, guard, guard.responses);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (refused || !(message instanceof ByteBuf bytes)) {
            drop(context, message);
            return;
        }
        try {
            framing.take(bytes);
        } catch (FramingException e) {
            bytes.release();
            refuse(context, e);
            return;
        }
        context.fireChannelRead(bytes);
    }

    private void drop(ChannelHandlerContext context, Object message) {
        if (refused) {
            ReferenceCountUtil.release(message);
        } else {
            context.fireChannelRead(message);
        }
    }

    /** Says why, unless the response to an earlier request is not complete: nothing can stand in the middle of that. */
    private void refuse(ChannelHandlerContext context, FramingException why) {
        refused = true;
        if (responses.begun == responses.ended && responses.ended == framing.begun() - 1) {
            context.writeAndFlush(answer(why)).addListener(ChannelFutureListener.CLOSE);
        } else {
            context.close();
        }
    }

    private static ByteBuf answer(FramingException why) {
        HttpResponseStatus status =
                why.isTooLong() ? HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE : HttpResponseStatus.BAD_REQUEST;
        Answer answer =
                Problem.ofStatus(status.code(), "The end of this request is ambiguous: " + why.getMessage() + ".");
        byte[] body = answer.body();
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + "\r\n");
        answer.headers().forEach(header -> head.append(header.name() + ": " + header.value() + "\r\n"));
        head.append("Content-Length: " + body.length + "\r\nConnection: close\r\n\r\n");
        return Unpooled.wrappedBuffer(head.toString().getBytes(StandardCharsets.ISO_8859_1), body);
    }

    /** Counts what is written. */
    private static final class Responses extends ChannelOutboundHandlerAdapter {

        private int begun;
        private int ended;
        private boolean interim;

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
            if (message instanceof HttpResponse response) {
                interim = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
                begun += interim ? 0 : 1;
            }
            if (message instanceof LastHttpContent && !interim) {
                ended++;
            }
            super.write(context, message, promise);
        }
    }
}
