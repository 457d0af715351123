package org.springframework.retry.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Stands for the annotation of Spring Retry, which an application may have. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Retryable {}
