package dev.semel.redis;

import java.util.List;
import java.util.Locale;

/** The functions that run inside Redis, each in a resource file of its name. */
enum Call {
    BATCH(Kind.WRITE, "claim", "settle"),
    RENEW(Kind.RENEWAL),
    RELEASE(Kind.WRITE),
    ABANDON(Kind.WRITE),
    STEP(Kind.WRITE),
    RESOLVE(Kind.WRITE),
    FIND(Kind.UPKEEP),
    LIST(Kind.UPKEEP),
    GLANCE(Kind.UPKEEP),
    SURVEY(Kind.UPKEEP),
    DUE(Kind.UPKEEP),
    PURGE(Kind.UPKEEP),
    IMPORT(Kind.UPKEEP),
    OPEN(Kind.UPKEEP),
    SETUP(Kind.UPKEEP),
    READY(Kind.UPKEEP),
    ACKNOWLEDGE(Kind.UPKEEP);

    /** Calls of one kind wait for each other, and never for those of another: a renewal must not wait for a purge. */
    enum Kind {
        RENEWAL,
        WRITE,
        UPKEEP
    }

    private final Kind kind;
    private final List<String> uses;

    Call(Kind kind, String... uses) {
        this.kind = kind;
        this.uses = List.of(uses);
    }

    Kind kind() {
        return kind;
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
