package dev.semel.gateway.proxy;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.MultiMap;
import io.vertx.core.http.Http1ServerConfig;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.http1.VertxHttpRequestDecoder;

/** The bytes of HTTP/1 requests: what is matched is what is forwarded, and nothing else is. */
public final class HeadFuzz {

    private HeadFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        EmbeddedChannel channel = new EmbeddedChannel(new VertxHttpRequestDecoder(new Http1ServerConfig()));
        try {
            channel.writeInbound(Unpooled.wrappedBuffer(input));
            for (Object message = channel.readInbound(); message != null; message = channel.readInbound()) {
                if (message instanceof HttpRequest request) {
                    check(request);
                }
                ReferenceCountUtil.release(message);
            }
        } finally {
            channel.finishAndReleaseAll();
        }
    }

    private static void check(HttpRequest request) {
        HttpVersion version = switch (request.protocolVersion().text()) {
            case "HTTP/1.0" -> HttpVersion.HTTP_1_0;
            case "HTTP/1.1" -> HttpVersion.HTTP_1_1;
            default -> null;
        };
        if (request.decoderResult().isFailure() || version == null) {
            return;
        }
        MultiMap headers = HttpHeaders.headers();
        request.headers().forEach(header -> headers.add(header.getKey(), header.getValue()));
        Forwarding.check(SeenRequest.of(version, request.method().name(), request.uri(), headers.get("Host"), headers));
    }
}
