package dev.semel.redis;

import java.util.Locale;

/** The functions that run inside Redis, each in a resource file of its name. */
enum Call {
    CLAIM,
    SETTLE,
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
    SETUP,
    ACKNOWLEDGE;

    /** The name of the file, and of the Lua function in it. */
    String lua() {
        return name().toLowerCase(Locale.ROOT);
    }
}
