package dev.semel.spi;

import dev.semel.KeyDigest;
import java.util.concurrent.CompletionStage;

/** A store that can remove a settled key before its retention has passed. */
public interface Erasing {

    /**
     * Removes the record of a key that is settled or expired and carries this token, with everything that is stored of
     * earlier lives of the key; {@code false} if there is no such record. A pending, lapsed or unknown key stays
     * unchanged: otherwise nothing would show that its operation has run.
     *
     * <p>The key is free then, and its next token is larger than every one that it ever had. What an audit window has kept
     * of the key with this or a smaller token is removed too.
     */
    CompletionStage<Boolean> erase(KeyDigest digest, long token);
}
