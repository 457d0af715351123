package dev.semel.attack.lab;

import java.util.Locale;

/**
 * A response, or what came instead of one.
 *
 * @param status {@link #CLOSED} or {@link #SILENT} if there was no response
 */
public record Answer(int status, String head, String body) {

    /** The connection was closed without a response. */
    public static final int CLOSED = 0;

    /** Neither a response nor the end of the connection came in time. */
    public static final int SILENT = -1;

    private static final int BAD_REQUEST = 400;
    private static final int SERVER_ERROR = 500;

    static final Answer NONE_CLOSED = new Answer(CLOSED, "", "");
    static final Answer NONE_SILENT = new Answer(SILENT, "", "");

    /** Whether the request was refused, with an answer or by closing the connection. */
    public boolean isRefusal() {
        return status == CLOSED || (status >= BAD_REQUEST && status < SERVER_ERROR) || status == 501 || status == 505;
    }

    public boolean isServerError() {
        return status >= SERVER_ERROR;
    }

    /** The value of a header; empty if it is not there. */
    public String header(String name) {
        String start = "\r\n" + name.toLowerCase(Locale.ROOT) + ":";
        int at = head.toLowerCase(Locale.ROOT).indexOf(start);
        if (at < 0) {
            return "";
        }
        int from = at + start.length();
        int end = head.indexOf("\r\n", from);
        return head.substring(from, end < 0 ? head.length() : end).strip();
    }

    @Override
    public String toString() {
        return status == CLOSED ? "closed" : status == SILENT ? "no answer" : Integer.toString(status);
    }
}
