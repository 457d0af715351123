/** An HTTP client that gives each operation a key, and retries it safely. */
module dev.semel.client {
    requires org.slf4j;
    requires transitive java.net.http;
    requires static feign.core;
    requires static kotlin.stdlib;
    requires static okhttp3;
    requires static okio;
    requires static org.apache.httpcomponents.client5.httpclient5;
    requires static org.apache.httpcomponents.core5.httpcore5;
    requires static org.jspecify;

    exports dev.semel.client;
    exports dev.semel.client.apache;
    exports dev.semel.client.feign;
    exports dev.semel.client.okhttp;
}
