package dev.semel.torture.node;

import dev.semel.servlet.SemelFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** A Tomcat with the service behind the servlet filter. */
record ServletNode(Tomcat tomcat, ExecutorService threads) implements NodeServer {

    static ServletNode start(SemelSystem system, ControlHandler control) throws Exception {
        ServletNode node = new ServletNode(new Tomcat(), Executors.newCachedThreadPool());
        Path base = Files.createTempDirectory("semel-torture-tomcat-");
        base.toFile().deleteOnExit();
        node.tomcat.setBaseDir(base.toString());
        node.tomcat.setPort(0);
        node.tomcat.getConnector().setProperty("address", "127.0.0.1");
        Context context = node.tomcat.addContext("", base.toString());
        addFilter(context, filter(system));
        addServlet(context, "service", new ServiceServlet(system, node.threads), "/");
        addServlet(context, "control", new ControlServlet(control), "/control/*");
        node.tomcat.start();
        return node;
    }

    private static SemelFilter filter(SemelSystem system) {
        GuardedPaths paths = GuardedPaths.of(system);
        return SemelFilter.builder(paths.gate(), request -> paths.find(request.getRequestURI()))
                .scope(request -> request.getHeader("Scope"))
                .failureAttribute(ServiceServlet.FAILURE)
                .build();
    }

    private static void addFilter(Context context, SemelFilter filter) {
        FilterDef definition = new FilterDef();
        definition.setFilterName("semel");
        definition.setFilter(filter);
        definition.setAsyncSupported("true");
        context.addFilterDef(definition);
        FilterMap map = new FilterMap();
        map.setFilterName("semel");
        map.addURLPattern("/*");
        map.setDispatcher(DispatcherType.REQUEST.name());
        map.setDispatcher(DispatcherType.ASYNC.name());
        map.setDispatcher(DispatcherType.ERROR.name());
        context.addFilterMap(map);
    }

    private static void addServlet(Context context, String name, Servlet servlet, String path) {
        Wrapper wrapper = Tomcat.addServlet(context, name, servlet);
        wrapper.setAsyncSupported(true);
        context.addServletMappingDecoded(path, name);
    }

    private static final class ControlServlet extends HttpServlet {

        private static final long serialVersionUID = 1;

        private final transient ControlHandler control;

        ControlServlet(ControlHandler control) {
            this.control = control;
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) {
            control.control(request.getRequestURI());
            response.setStatus(HttpServletResponse.SC_NO_CONTENT);
        }
    }

    @Override
    public int port() {
        return tomcat.getConnector().getLocalPort();
    }

    @Override
    public void close() {
        try {
            tomcat.stop();
        } catch (LifecycleException e) {
            throw new IllegalStateException("Tomcat does not stop", e);
        }
        threads.shutdown();
    }
}
