package dev.semel.torture.wire;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A connection that understands requests of HTTP/1.1, and refuses them as DynamoDB does when a table is too busy. */
final class DynamoDbLink extends WireLink {

    private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *(\\d+)");
    private static final String REFUSAL =
            "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException\","
                    + "\"message\":\"The level of configured provisioned throughput for the table was exceeded.\"}";

    DynamoDbLink(DatabaseWire wire, Socket client, Socket server) throws IOException {
        super(wire, client, server);
    }

    @Override
    void pumpQuestions() throws IOException {
        InputStream in = new BufferedInputStream(client.getInputStream(), BUFFER);
        OutputStream out = server.getOutputStream();
        while (true) {
            byte[] head = readHead(in);
            String text = new String(head, StandardCharsets.ISO_8859_1);
            Matcher length = LENGTH.matcher(text);
            byte[] body = in.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
            if (wire.throttles()) {
                refuse();
                continue;
            }
            asked = text;
            wire.holdBack(text);
            out.write(head);
            out.write(body);
            wire.sent(text);
        }
    }

    private static byte[] readHead(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int end = 0;
        while (end < 4) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException();
            }
            head.write(next);
            end = next == (end % 2 == 0 ? '\r' : '\n') ? end + 1 : 0;
        }
        return head.toByteArray();
    }

    private void refuse() throws IOException {
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
        client.getOutputStream()
                .write(("HTTP/1.1 400 Bad Request\r\nContent-Type: application/x-amz-json-1.0\r\nDate: " + date
                                + "\r\nContent-Length: " + REFUSAL.length() + "\r\n\r\n" + REFUSAL)
                        .getBytes(StandardCharsets.ISO_8859_1));
    }
}
