package dev.semel.spring.test.child;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The calls of the application's own beans: all in its packages that a proxy can stand for. */
final class WatchedBeans extends StaticMethodMatcherPointcut implements MethodInterceptor {

    private final List<String> packages;
    private final PointSwitch points;

    WatchedBeans(List<String> packages, PointSwitch points) {
        this.packages = packages;
        this.points = points;
        setClassFilter(this::isWatched);
    }

    private boolean isWatched(Class<?> type) {
        if (Proxy.isProxyClass(type)) {
            // What Spring Data makes of an interface of the application, for example.
            return Arrays.stream(type.getInterfaces()).anyMatch(this::isOwn);
        }
        Class<?> own = ClassUtils.getUserClass(type);
        return isOwn(own)
                && !AnnotatedElementUtils.hasAnnotation(own, Configuration.class)
                && !AnnotatedElementUtils.hasAnnotation(own, ConfigurationProperties.class)
                && canBeSubclassed(own);
    }

    private boolean isOwn(Class<?> type) {
        String name = type.getPackageName();
        return packages.stream().anyMatch(each -> name.equals(each) || name.startsWith(each + "."));
    }

    /** A final method would run on the proxy, whose fields are all empty. */
    private static boolean canBeSubclassed(Class<?> type) {
        return !Modifier.isFinal(type.getModifiers())
                && Arrays.stream(ReflectionUtils.getAllDeclaredMethods(type))
                        .filter(method -> method.getDeclaringClass() != Object.class)
                        .noneMatch(method -> Modifier.isFinal(method.getModifiers())
                                && !Modifier.isStatic(method.getModifiers())
                                && !Modifier.isPrivate(method.getModifiers()));
    }

    @Override
    public boolean matches(Method method, Class<?> type) {
        return !ReflectionUtils.isObjectMethod(method);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        String name = name(call);
        points.reach("before " + name);
        try {
            return call.proceed();
        } finally {
            points.reach("after " + name);
        }
    }

    private String name(MethodInvocation call) {
        Object target = call.getThis();
        Class<?> type = target == null ? call.getMethod().getDeclaringClass() : ClassUtils.getUserClass(target);
        if (Proxy.isProxyClass(type)) {
            type = Arrays.stream(type.getInterfaces())
                    .filter(this::isOwn)
                    .findFirst()
                    .orElseThrow();
        } else if (type.isAnonymousClass()) {
            type = type.getSuperclass();
        }
        return type.getSimpleName() + "." + call.getMethod().getName();
    }
}
