/** An HTTP client that gives each operation a key, and retries it safely. */
module dev.semel.client {
    requires org.slf4j;
    requires transitive java.net.http;
    requires static org.jspecify;

    exports dev.semel.client;
}
