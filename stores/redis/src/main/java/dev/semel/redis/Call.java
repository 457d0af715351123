package dev.semel.redis;

import java.util.List;
import java.util.Locale;

/** The functions that run inside Redis, each in a resource file of its name. */
enum Call {
    BATCH("claim", "settle"),
    RENEW,
    RELEASE,
    ABANDON,
    STEP,
    RESOLVE,
    FIND,
    LIST,
    GLANCE,
    SURVEY,
    DUE,
    PURGE,
    IMPORT,
    OPEN,
    SETUP,
    READY,
    ACKNOWLEDGE;

    private final List<String> uses;

    Call(String... uses) {
        this.uses = List.of(uses);
    }

    /** The names of other files that it needs before its own. */
    List<String> uses() {
        return uses;
    }

    /** The name of the file, and of the Lua function in it. */
    String lua() {
        return name().toLowerCase(Locale.ROOT);
    }
}
