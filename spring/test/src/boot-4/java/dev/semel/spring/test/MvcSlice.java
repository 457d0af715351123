package dev.semel.spring.test;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;

/** {@code @WebMvcTest}, whose package differs between Spring Boot 3 and 4. */
@WebMvcTest
@Retention(RetentionPolicy.RUNTIME)
@interface MvcSlice {}
