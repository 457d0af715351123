package dev.semel.torture.load;

import dev.semel.Key;
import dev.semel.torture.server.Ledger;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What clients and the ledger expect of each key when the store is put back to an older copy: a key whose outcome a client had
 * before the copy was taken is in the copy, and is judged as ever; one that was first used after that is forgotten; and of the
 * others no client knows.
 */
public record ForgottenKeys(Supplier<List<Story>> stories, Sender sender, Ledger ledger) {

    /** @param copiedAt when the store stood still for the copy, as {@link System#nanoTime} counts */
    public void since(long copiedAt) {
        stories.get().stream().collect(Collectors.groupingBy(Story::key)).forEach((key, ofKey) -> {
            if (!isInTheCopy(ofKey, copiedAt)) {
                forget(key, ofKey, copiedAt);
            }
        });
    }

    /** Of a key with several lives, each story has to know that the present one is in the copy. */
    private static boolean isInTheCopy(List<Story> stories, long copiedAt) {
        return stories.get(0).life() == null
                ? stories.stream().anyMatch(story -> story.wasToldBefore(copiedAt))
                : stories.stream().allMatch(story -> story.wasToldBefore(copiedAt));
    }

    private void forget(Key key, List<Story> stories, long copiedAt) {
        boolean isNew = stories.stream().allMatch(story -> story.life() == null && story.isBornAfter(copiedAt));
        if (isNew) {
            ledger.forget(key);
            sender.beginEra(key);
            stories.forEach(Story::beginAgain);
        } else {
            ledger.closeForever(key);
            sender.close(key);
            stories.forEach(Story::close);
        }
    }
}
