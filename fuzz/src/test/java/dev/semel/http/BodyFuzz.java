package dev.semel.http;

import static dev.semel.fuzz.Fuzz.require;

import dev.semel.Fingerprint;
import dev.semel.http.fingerprint.RequestContent;
import dev.semel.http.json.CanonicalJson;
import dev.semel.http.spool.Spool;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.Http1ServerConfig;
import io.vertx.core.http.impl.http1.VertxHttpRequestDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The framing and body of a request: the same however its bytes arrive, bounded, and with one fingerprint. */
public final class BodyFuzz {

    private static final int LIMIT = 128;
    private static final byte[] HEAD = ("POST /charges HTTP/1.1\r\nHost: shop\r\nIdempotency-Key: fuzz\r\n"
                    + "Content-Type: application/json\r\n")
            .getBytes(StandardCharsets.US_ASCII);

    private BodyFuzz() {}

    /** The first byte of an input says how large the pieces are in which the rest arrives. */
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        if (input.length == 0) {
            return;
        }
        byte[] message = Arrays.copyOf(HEAD, HEAD.length + input.length - 1);
        System.arraycopy(input, 1, message, HEAD.length, input.length - 1);
        List<String> whole = read(message, message.length);
        List<String> pieces = read(message, 4 + (input[0] & 0x3f));
        require(whole.equals(pieces), "read in pieces, it is the same", whole + " and " + pieces);
    }

    private static List<String> read(byte[] message, int piece) throws IOException {
        EmbeddedChannel channel = new EmbeddedChannel(new VertxHttpRequestDecoder(new Http1ServerConfig()));
        List<String> seen = new ArrayList<>();
        try (Spool spool = Spool.inMemory(LIMIT)) {
            for (int start = 0; start < message.length; start += piece) {
                channel.writeInbound(Unpooled.wrappedBuffer(message, start, Math.min(piece, message.length - start)));
            }
            for (Object part = channel.readInbound(); part != null; part = channel.readInbound()) {
                note(part, spool, seen);
                ReferenceCountUtil.release(part);
            }
            seen.add(fingerprint(spool));
        } finally {
            channel.finishAndReleaseAll();
        }
        return seen;
    }

    private static void note(Object part, Spool spool, List<String> seen) throws IOException {
        if (part instanceof HttpRequest request) {
            seen.add(request.decoderResult().isSuccess() + " " + request.method() + " " + request.uri() + " "
                    + request.headers().entries());
        }
        if (part instanceof HttpContent content && content.content().isReadable()) {
            byte[] bytes = new byte[content.content().readableBytes()];
            content.content().getBytes(content.content().readerIndex(), bytes);
            for (int i = 0; i < bytes.length; i++) {
                spool.offer(bytes, i, 1);
            }
        }
        require(spool.size() <= LIMIT, "bounded", spool.size());
    }

    private static String fingerprint(Spool spool) {
        RequestHead head = RequestHead.of(
                "POST",
                "/charges",
                null,
                name -> name.equals("Content-Type") ? List.of("application/json") : List.of());
        RequestContent content = new RequestContent(head.headers()::lines, spool);
        Fingerprint first = RequestFingerprint.of(head, content, Fields.all(), false);
        content.json().ifPresent(json -> {
            byte[] canonical = json.bytes();
            require(
                    Arrays.equals(CanonicalJson.parse(canonical).orElseThrow().bytes(), canonical),
                    "the canonical form is its own",
                    new String(canonical, StandardCharsets.UTF_8));
        });
        return first + " " + spool.size();
    }
}
