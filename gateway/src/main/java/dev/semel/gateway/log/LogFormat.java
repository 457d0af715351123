package dev.semel.gateway.log;

/** The format of a log line. */
public enum LogFormat {
    /** For people. */
    TEXT,

    /** One JSON object per line, for log collectors. */
    JSON
}
