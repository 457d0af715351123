#!/bin/sh
# Types the quick start for Jakarta REST, as docs/frameworks.md has it, into a new project on Jersey and Jetty, and tries it.
set -eu
# shellcheck source=examples/quick-start-parts.sh
. "$(dirname -- "$0")/quick-start-parts.sh"

quoted() {
    typed docs/frameworks.md '## Jakarta REST' "$@"
}

deploy http/jakarta-rest
{
    quoted xml 1
    dependency org.glassfish.jersey.containers jersey-container-servlet "$(version jersey)"
    dependency org.glassfish.jersey.inject jersey-hk2 "$(version jersey)"
    dependency org.eclipse.jetty.ee11 jetty-ee11-servlet "$(version jetty)"
} | pom "<dependencyManagement><dependencies>
    $(dependency org.glassfish.hk2 hk2-locator "$(version hk2)")
  </dependencies></dependencyManagement>"
{
    echo 'package com.example;'
    echo 'import dev.semel.rest.Idempotent;'
    echo 'import jakarta.ws.rs.*;'
    quoted java 1
} >"$project/src/main/java/com/example/Payments.java"
cat >"$project/src/main/java/com/example/Application.java" <<END
package com.example;

import dev.semel.Semel;
import dev.semel.http.HttpGate;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.rest.SemelFeature;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

public class Application {
    public static void main(String[] arguments) throws Exception {
$(quoted java 2)
        ServletHolder servlet = new ServletHolder(new ServletContainer(application));
        servlet.setAsyncSupported(true);
        ServletContextHandler context = new ServletContextHandler("/");
        context.addServlet(servlet, "/*");
        Server server = new Server(Integer.parseInt(arguments[0]));
        server.setHandler(context);
        server.start();
    }
}
END

compile
start Application $port
pay_twice "localhost:$port/payments"
