package dev.semel.servlet;

import dev.semel.testkit.http.SwitchableStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.Servlet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

final class TomcatServer extends TestServer {

    private final Tomcat tomcat = new Tomcat();
    private final Path base;

    TomcatServer(ErrorRendering errors, boolean errorPage) throws Exception {
        this(errors, errorPage, inMemory());
    }

    TomcatServer(ErrorRendering errors, boolean errorPage, SwitchableStore store) throws Exception {
        super(errors, store);
        base = Files.createTempDirectory("semel-tomcat");
        tomcat.setBaseDir(base.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("maxThreads", Integer.toString(THREADS));
        Context context = tomcat.addContext("", base.toString());
        addFilter(context, "bearer", new BearerFilter(), DISPATCHES);
        addFilter(context, "early", early, DISPATCHES);
        addFilter(context, "semel", filter, DISPATCHES);
        addFilter(context, "inner", inner, EnumSet.of(DispatcherType.REQUEST));
        addServlet(context, "sample", new SampleServlet(service), "/");
        Wrapper ownServlet = addServlet(context, "own", own, OwnServlet.PATH + "/*");
        ownServlet.setMultipartConfigElement(new MultipartConfigElement(base.toString()));
        if (errorPage) {
            addServlet(context, "error", new ErrorPage(), ErrorPage.PATH);
            org.apache.tomcat.util.descriptor.web.ErrorPage page =
                    new org.apache.tomcat.util.descriptor.web.ErrorPage();
            page.setLocation(ErrorPage.PATH);
            context.addErrorPage(page);
        }
        tomcat.start();
    }

    static void addFilter(Context context, String name, Filter filter, EnumSet<DispatcherType> dispatches) {
        FilterDef definition = new FilterDef();
        definition.setFilterName(name);
        definition.setFilter(filter);
        definition.setAsyncSupported("true");
        context.addFilterDef(definition);
        FilterMap map = new FilterMap();
        map.setFilterName(name);
        map.addURLPattern("/*");
        for (DispatcherType type : dispatches) {
            map.setDispatcher(type.name());
        }
        context.addFilterMap(map);
    }

    static Wrapper addServlet(Context context, String name, Servlet servlet, String path) {
        Wrapper wrapper = Tomcat.addServlet(context, name, servlet);
        wrapper.setAsyncSupported(true);
        context.addServletMappingDecoded(path, name);
        return wrapper;
    }

    @Override
    int port() {
        return tomcat.getConnector().getLocalPort();
    }

    @Override
    void stop() throws Exception {
        tomcat.stop();
        tomcat.destroy();
        try (Stream<Path> files = Files.walk(base)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
