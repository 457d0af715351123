package dev.semel.servlet;

import dev.semel.testkit.http.SwitchableStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.MultipartConfigElement;
import java.util.EnumSet;
import org.eclipse.jetty.ee11.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

final class JettyServer extends TestServer {

    private final Server server = new Server(new QueuedThreadPool(THREADS, THREADS));
    private final ServerConnector connector = new ServerConnector(server, 1, 1);

    JettyServer(ErrorRendering errors, boolean errorPage) throws Exception {
        this(errors, errorPage, inMemory());
    }

    JettyServer(ErrorRendering errors, boolean errorPage, SwitchableStore store) throws Exception {
        super(errors, store);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler("/");
        context.addFilter(asynchronous(new FilterHolder(new BearerFilter())), "/*", DISPATCHES);
        context.addFilter(asynchronous(new FilterHolder(early)), "/*", DISPATCHES);
        context.addFilter(asynchronous(new FilterHolder(filter)), "/*", DISPATCHES);
        context.addFilter(asynchronous(new FilterHolder(inner)), "/*", EnumSet.of(DispatcherType.REQUEST));
        ServletHolder ownServlet = new ServletHolder(own);
        ownServlet.setAsyncSupported(true);
        ownServlet
                .getRegistration()
                .setMultipartConfig(new MultipartConfigElement(System.getProperty("java.io.tmpdir")));
        context.addServlet(ownServlet, OwnServlet.PATH + "/*");
        ServletHolder sample = new ServletHolder(new SampleServlet(service));
        sample.setAsyncSupported(true);
        context.addServlet(sample, "/");
        if (errorPage) {
            context.addServlet(new ServletHolder(new ErrorPage()), ErrorPage.PATH);
            ErrorPageErrorHandler pages = new ErrorPageErrorHandler();
            pages.addErrorPage(ErrorPageErrorHandler.GLOBAL_ERROR_PAGE, ErrorPage.PATH);
            context.setErrorHandler(pages);
        }
        server.setHandler(context);
        server.start();
    }

    private static FilterHolder asynchronous(FilterHolder holder) {
        holder.setAsyncSupported(true);
        return holder;
    }

    @Override
    int port() {
        return connector.getLocalPort();
    }

    @Override
    void stop() throws Exception {
        server.stop();
    }
}
