/** A Jakarta Servlet filter that makes requests safe to retry. */
module dev.semel.servlet {
    requires org.slf4j;
    requires transitive dev.semel.http;
    requires transitive jakarta.servlet;
    requires static org.jspecify;

    exports dev.semel.servlet;
}
