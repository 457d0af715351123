package dev.semel.spring.recipes;

import java.util.concurrent.atomic.AtomicBoolean;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.core.Ordered;

/** Wraps the annotated methods, and loses the next answer on request. */
final class LostAnswers extends DefaultPointcutAdvisor {

    private static final long serialVersionUID = 1;

    final AtomicBoolean loses;

    LostAnswers(Class<? extends java.lang.annotation.Annotation> annotation) {
        this(annotation, new AtomicBoolean());
    }

    private LostAnswers(Class<? extends java.lang.annotation.Annotation> annotation, AtomicBoolean loses) {
        super(AnnotationMatchingPointcut.forMethodAnnotation(annotation), losing(loses));
        this.loses = loses;
        setOrder(Ordered.HIGHEST_PRECEDENCE);
    }

    private static MethodInterceptor losing(AtomicBoolean loses) {
        return (MethodInvocation invocation) -> {
            Object returned = invocation.proceed();
            if (loses.compareAndSet(true, false)) {
                throw new IllegalStateException("the answer is lost");
            }
            return returned;
        };
    }
}
