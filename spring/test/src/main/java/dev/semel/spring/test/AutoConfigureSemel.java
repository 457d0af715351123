package dev.semel.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Adds Semel to a test slice such as {@code @WebMvcTest}: requests are guarded as in the application, and handlers get their
 * {@link dev.semel.Attempt}. Keys are kept in memory, unless the test has a bean of type {@link dev.semel.spi.KeyStore}.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration
public @interface AutoConfigureSemel {}
