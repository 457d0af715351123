package dev.semel.gateway.log;

/** How a line of the log looks. */
public enum LogFormat {
    /** For people. */
    TEXT,

    /** One JSON object per line, for what collects logs. */
    JSON
}
