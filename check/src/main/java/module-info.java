/** Calls an HTTP API as its clients would, and reports what is not safe to retry. */
module dev.semel.check {
    requires java.net.http;
    requires static org.jspecify;

    exports dev.semel.check;
    exports dev.semel.check.report;
}
