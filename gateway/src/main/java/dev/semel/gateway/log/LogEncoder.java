package dev.semel.gateway.log;

import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.regex.Pattern;
import org.slf4j.event.KeyValuePair;

/** Writes the lines of the log as text or as JSON. The format can change while the gateway runs. */
public final class LogEncoder extends EncoderBase<ILoggingEvent> {

    private static final String PATTERN = "%d{\"yyyy-MM-dd'T'HH:mm:ss.SSSXXX\", UTC} %-5level %logger{24} - %msg%nopex";

    /** Values that need no quotes in a line of {@code name=value}. */
    private static final Pattern PLAIN = Pattern.compile("[^\\s\"=]+");

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSX").withZone(ZoneOffset.UTC);

    private static volatile LogFormat format = LogFormat.TEXT;

    private final PatternLayout text = new PatternLayout();

    /** All lines from now on have this format. */
    public static void use(LogFormat next) {
        format = next;
    }

    @Override
    public void start() {
        text.setContext(getContext());
        text.setPattern(PATTERN);
        text.start();
        super.start();
    }

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        String line = format == LogFormat.JSON ? json(event) : text(event);
        return line.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }

    private String text(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(text.doLayout(event));
        for (KeyValuePair each : pairs(event)) {
            String value = String.valueOf(each.value);
            line.append(' ').append(each.key).append('=');
            line.append(PLAIN.matcher(value).matches() ? value : '"' + value.replace('"', '\'') + '"');
        }
        line.append('\n');
        if (event.getThrowableProxy() != null) {
            line.append(trace(event.getThrowableProxy()));
        }
        return line.toString();
    }

    private static String json(ILoggingEvent event) {
        JsonObject line = new JsonObject()
                .put("time", TIME.format(event.getInstant()))
                .put("level", event.getLevel().toString())
                .put("logger", event.getLoggerName())
                .put("message", event.getFormattedMessage());
        for (KeyValuePair each : pairs(event)) {
            boolean plain = each.value instanceof Number || each.value instanceof Boolean;
            line.put(each.key, plain ? each.value : String.valueOf(each.value));
        }
        if (event.getThrowableProxy() != null) {
            line.put("trace", trace(event.getThrowableProxy()));
        }
        return line.encode() + '\n';
    }

    private static List<KeyValuePair> pairs(ILoggingEvent event) {
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        return pairs == null ? List.of() : pairs;
    }

    private static String trace(IThrowableProxy thrown) {
        return ThrowableProxyUtil.asString(thrown);
    }
}
