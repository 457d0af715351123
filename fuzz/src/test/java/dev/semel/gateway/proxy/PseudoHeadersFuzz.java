package dev.semel.gateway.proxy;

import dev.semel.fuzz.Fuzz;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The header block of HTTP/2 requests, which can carry what HTTP/1.1 cannot say. */
public final class PseudoHeadersFuzz {

    private static final List<String> NAMES = List.of(":method", ":scheme", ":authority", ":path");
    private static final int LONG = 127;

    private PseudoHeadersFuzz() {}

    /** The fields of an input are the four pseudo-headers, and then names and values in turn. */
    public static void fuzzerTestOneInput(byte[] input) {
        List<String> fields = Fuzz.fields(input);
        ByteBuf block = Unpooled.buffer();
        for (int i = 0; i < fields.size(); i++) {
            if (i < NAMES.size()) {
                write(block, NAMES.get(i), fields.get(i));
            } else if ((i - NAMES.size()) % 2 == 1) {
                write(block, fields.get(i - 1), fields.get(i));
            }
        }
        Http2Headers seen;
        try {
            seen = new DefaultHttp2HeadersDecoder(true).decodeHeaders(1, block);
        } catch (Http2Exception refused) {
            return;
        }
        if (seen.method() == null || seen.path() == null || seen.scheme() == null || !isMethod(seen.method())) {
            // The HTTP library resets such a stream.
            return;
        }
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        seen.forEach(header -> {
            if (!header.getKey().toString().startsWith(":")) {
                headers.add(header.getKey(), header.getValue());
            }
        });
        Forwarding.check(SeenRequest.of(
                HttpVersion.HTTP_2,
                seen.method().toString(),
                seen.path().toString(),
                seen.authority() == null ? null : seen.authority().toString(),
                headers));
    }

    private static boolean isMethod(CharSequence name) {
        try {
            return HttpMethod.valueOf(name.toString()) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** A literal that is not indexed, with a new name. */
    private static void write(ByteBuf block, String name, String value) {
        block.writeByte(0);
        write(block, name);
        write(block, value);
    }

    private static void write(ByteBuf block, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        int rest = bytes.length - LONG;
        block.writeByte(Math.min(bytes.length, LONG));
        if (rest >= 0) {
            for (; rest > LONG; rest >>= 7) {
                block.writeByte((rest & LONG) | 0x80);
            }
            block.writeByte(rest);
        }
        block.writeBytes(bytes);
    }
}
