package dev.semel.spring.web;

import dev.semel.http.HandlerEntry;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.method.HandlerMethod;

/**
 * Makes handler methods report that they are entered, and what they throw. A framework resolves and validates the
 * arguments, and advice such as method security runs, before that: a request refused there was not executed.
 */
final class WatchedHandlers {

    private WatchedHandlers() {}

    /** The beans of a type but for one, in the order in which a dispatcher asks them. */
    static <T> List<T> others(ApplicationContext context, Class<T> type, T own) {
        return BeanFactoryUtils.beansOfTypeIncludingAncestors(context, type, true, false).values().stream()
                .filter(bean -> bean != own)
                .sorted(AnnotationAwareOrderComparator.INSTANCE)
                .toList();
    }

    /** Says why calls of a method of the class cannot be watched, or {@code null} if they can. */
    static @Nullable String obstacle(Method method, Class<?> type) {
        if (Proxy.isProxyClass(type)) {
            return null;
        }
        Class<?> declared = ClassUtils.getUserClass(type);
        if (Modifier.isFinal(declared.getModifiers())) {
            return "its class is final";
        }
        Method specific = ClassUtils.getMostSpecificMethod(method, declared);
        if ((specific.getModifiers() & (Modifier.FINAL | Modifier.PRIVATE | Modifier.STATIC)) != 0) {
            return "it is " + Modifier.toString(specific.getModifiers());
        }
        return null;
    }

    /** The same handler, for one request, unless it was entered before: an asynchronous one comes back with its result. */
    static HandlerMethod watch(HandlerMethod handler, HandlerEntry entry) {
        Object bean = handler.createWithResolvedBean().getBean();
        boolean foreignProxy = Proxy.isProxyClass(bean.getClass()) && !(bean instanceof Advised);
        if (foreignProxy || obstacle(handler.getMethod(), handler.getBeanType()) != null) {
            entry.enter();
            return handler;
        }
        return entry.watch() ? new Watched(handler, proxy(bean, entry)) : handler;
    }

    /** Watches from inside of all advice that the bean has. */
    private static Object proxy(Object bean, HandlerEntry entry) {
        ProxyFactory factory = new ProxyFactory();
        if (bean instanceof Advised advised) {
            factory.setInterfaces(advised.getProxiedInterfaces());
            factory.setProxyTargetClass(advised.isProxyTargetClass());
            factory.setExposeProxy(advised.isExposeProxy());
            factory.setTargetSource(advised.getTargetSource());
            factory.addAdvisors(advised.getAdvisors());
        } else {
            factory.setTarget(bean);
            factory.setProxyTargetClass(true);
        }
        factory.addAdvice(watching(entry));
        return factory.getProxy(bean.getClass().getClassLoader());
    }

    private static MethodInterceptor watching(HandlerEntry entry) {
        return invocation -> {
            if (isPartOfTheFramework(invocation.getMethod())) {
                return invocation.proceed();
            }
            entry.enter();
            try {
                Object returned = invocation.proceed();
                if (isSingleLaterResult(returned)) {
                    entry.goOn();
                }
                return returned;
            } catch (Throwable e) {
                entry.fail(e);
                throw e;
            }
        };
    }

    /** Spring MVC reports no time-out of these, so their work goes on, and takes one result of them. */
    private static boolean isSingleLaterResult(@Nullable Object returned) {
        if (returned == null || returned instanceof CompletionStage) {
            return returned != null;
        }
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned.getClass());
        return adapter != null && !adapter.isMultiValue();
    }

    /** A controller's own exception handlers, binders and model attributes are called through the handler's bean. */
    private static boolean isPartOfTheFramework(Method method) {
        return Stream.of(ExceptionHandler.class, InitBinder.class, ModelAttribute.class)
                .anyMatch(part -> AnnotatedElementUtils.hasAnnotation(method, part));
    }

    private static final class Watched extends HandlerMethod {

        Watched(HandlerMethod handler, Object bean) {
            super(handler, bean, false);
        }
    }
}
