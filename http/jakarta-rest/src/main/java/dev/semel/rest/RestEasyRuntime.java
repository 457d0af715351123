package dev.semel.rest;

import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Response;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletionStage;
import org.jboss.resteasy.core.CompletionStageHolder;
import org.jboss.resteasy.core.ResteasyContext;
import org.jboss.resteasy.core.interception.jaxrs.PreMatchContainerRequestContext;
import org.jboss.resteasy.core.interception.jaxrs.SuspendableContainerRequestContext;
import org.jboss.resteasy.plugins.server.Cleanables;
import org.jboss.resteasy.spi.ApplicationException;
import org.jboss.resteasy.spi.HttpRequest;
import org.jboss.resteasy.spi.HttpResponse;
import org.jboss.resteasy.spi.InjectorFactory;
import org.jboss.resteasy.spi.MethodInjector;
import org.jboss.resteasy.spi.ResteasyProviderFactory;
import org.jboss.resteasy.spi.ValueInjector;
import org.jspecify.annotations.Nullable;

/** RESTEasy calls resource methods through injectors, which are watched here. */
final class RestEasyRuntime implements RestRuntime {

    private RestEasyRuntime() {}

    static RestRuntime install(Configuration configuration) {
        ResteasyProviderFactory factory = (ResteasyProviderFactory) configuration;
        InjectorFactory injectors = factory.getInjectorFactory();
        factory.setInjectorFactory(proxy(
                InjectorFactory.class, (method, arguments) -> watched(method, call(injectors, method, arguments))));
        return new RestEasyRuntime();
    }

    @Override
    public void suspend(ContainerRequestContext request, CompletionStage<Response> response) {
        ((SuspendableContainerRequestContext) request).suspend();
        response.thenAccept(request::abortWith);
    }

    /** RESTEasy cleans up when the thread of a request leaves it; one that is suspended then goes on elsewhere. */
    @Override
    public void begun(ContainerRequestContext request, RestExchange exchange) {
        Cleanables cleanables = ResteasyContext.getContextData(Cleanables.class);
        if (cleanables != null && request instanceof PreMatchContainerRequestContext known) {
            cleanables.addCleanable(() -> {
                if (!known.getHttpRequest().getAsyncContext().isSuspended()) {
                    exchange.finished();
                }
            });
        }
    }

    private static Object watched(Method factoryMethod, Object made) {
        if (made instanceof MethodInjector method) {
            return new WatchedMethod(method);
        }
        return made instanceof ValueInjector value && factoryMethod.getName().equals("createParameterExtractor")
                ? new WatchedValue(value)
                : made;
    }

    /** Reports the start and the result of a resource method. */
    private record WatchedMethod(MethodInjector method) implements MethodInjector {

        @Override
        public Object invoke(HttpRequest request, HttpResponse response, Object resource) {
            RestExchange exchange = RestExchange.of(request.getAttribute(RestExchange.PROPERTY));
            if (exchange == null) {
                return method.invoke(request, response, resource);
            }
            exchange.entered();
            try {
                Object result = method.invoke(request, response, resource);
                if (result instanceof CompletionStageHolder holder) {
                    CompletionStage<?> later = holder.getStage();
                    return new CompletionStageHolder(watched(later, exchange));
                }
                return result instanceof CompletionStage<?> stage ? watched(stage, exchange) : result;
            } catch (ApplicationException e) {
                exchange.failed(e.getCause());
                throw e;
            } catch (RuntimeException e) {
                exchange.failed(e);
                throw e;
            }
        }

        private static <T> CompletionStage<T> watched(CompletionStage<T> stage, RestExchange exchange) {
            return stage.whenComplete((value, failure) -> exchange.failed(failure));
        }

        @Override
        public Object injectArguments(HttpRequest request, HttpResponse response) {
            return method.injectArguments(request, response);
        }

        @Override
        public ValueInjector[] getParams() {
            return method.getParams();
        }

        @Override
        public boolean expectsBody() {
            return method.expectsBody();
        }
    }

    /** Reports a resource method's use of its {@link AsyncResponse}. */
    private record WatchedValue(ValueInjector value) implements ValueInjector {

        @Override
        public Object inject(boolean unwrapAsync) {
            return value.inject(unwrapAsync);
        }

        @Override
        public Object inject(HttpRequest request, HttpResponse response, boolean unwrapAsync) {
            Object injected = value.inject(request, response, unwrapAsync);
            RestExchange exchange = RestExchange.of(request.getAttribute(RestExchange.PROPERTY));
            if (exchange == null || !(injected instanceof AsyncResponse async)) {
                return injected;
            }
            exchange.suspended();
            return proxy(AsyncResponse.class, (method, arguments) -> {
                if (method.getName().equals("resume") || method.getName().equals("cancel")) {
                    exchange.resumed(
                            arguments.length > 0 && arguments[0] instanceof Throwable failure ? failure : null);
                }
                return call(async, method, arguments);
            });
        }
    }

    private interface Interception {
        @Nullable
        Object call(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Interception interception) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> interception.call(method, arguments == null ? new Object[0] : arguments)));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
