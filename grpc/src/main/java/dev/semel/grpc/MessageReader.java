package dev.semel.grpc;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import dev.semel.http.RequestHead;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A call as the protocol sees requests. */
final class MessageReader {

    /** Of every gRPC call. */
    static final String METHOD = "POST";

    private MessageReader() {}

    static RequestHead head(GrpcRules rules, Metadata headers, Object message) {
        FieldDescriptor field = rules.keyField();
        return RequestHead.of(METHOD, "/" + rules.method(), null, name -> {
            if (name.equalsIgnoreCase("Content-Type")) {
                return List.of("application/grpc");
            }
            return field != null && name.equals(SemelClientInterceptor.KEY.name())
                    ? keyIn(message, field)
                    : lines(headers, name);
        });
    }

    private static List<String> lines(Metadata headers, String name) {
        Iterable<String> values =
                headers.getAll(Metadata.Key.of(name.toLowerCase(Locale.ROOT), Metadata.ASCII_STRING_MARSHALLER));
        List<String> lines = new ArrayList<>();
        if (values != null) {
            values.forEach(lines::add);
        }
        return lines;
    }

    /** A field holds a key as it is, and a header line in quotes. */
    private static List<String> keyIn(Object message, FieldDescriptor field) {
        String key = ((Message) message).getField(field).toString();
        return key.isEmpty()
                ? List.of()
                : List.of('"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
    }

    /**
     * The bytes that tell a message from another. Members of maps and fields are sorted, because their order on the wire
     * depends on the version of the schema that has read them.
     */
    static <T> byte[] bytes(MethodDescriptor<T, ?> method, T message) {
        try {
            if (message instanceof Message proto) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream(proto.getSerializedSize());
                CodedOutputStream out = CodedOutputStream.newInstance(bytes);
                out.useDeterministicSerialization();
                proto.writeTo(out);
                out.flush();
                return UnknownFieldSet.parseFrom(bytes.toByteArray()).toByteArray();
            }
            return read(method.streamRequest(message));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read a message that has arrived", e);
        }
    }

    /** All bytes, or {@code null} if there are more than the limit. */
    static byte @Nullable [] read(InputStream stream, int limit) {
        try (stream) {
            byte[] bytes = stream.readNBytes(limit);
            return stream.read() < 0 ? bytes : null;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read a message that was made here", e);
        }
    }

    private static byte[] read(InputStream stream) throws IOException {
        try (stream) {
            return stream.readAllBytes();
        }
    }
}
