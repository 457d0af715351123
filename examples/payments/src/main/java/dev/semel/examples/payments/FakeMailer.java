package dev.semel.examples.payments;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** A stand-in for a mail service that sends a message once per key. */
@Component
class FakeMailer {

    private static final Logger LOG = LoggerFactory.getLogger(FakeMailer.class);

    private final Map<String, String> sent = new ConcurrentHashMap<>();

    /** Returns the message's id. */
    String send(String key, String to, String text) {
        if (sent.putIfAbsent(key, text) == null) {
            LOG.info("mail to {}: {}", to, text);
        }
        return key;
    }

    int mailsSent() {
        return sent.size();
    }
}
