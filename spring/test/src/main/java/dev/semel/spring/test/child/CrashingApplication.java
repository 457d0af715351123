package dev.semel.spring.test.child;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.util.ClassUtils;

/** The main class of a process that runs the application of a test until it crashes. */
public final class CrashingApplication {

    /** System properties that say where the test listens, what to run, and what to watch. */
    public static final String PORT = "semel.test.crash.port";

    public static final String APPLICATION = "semel.test.crash.application";
    public static final String CONFIGURATIONS = "semel.test.crash.configurations";
    public static final String PACKAGES = "semel.test.crash.packages";

    private CrashingApplication() {}

    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        PointSwitch points = new PointSwitch();
        CrashConfiguration.points = points;
        CrashConfiguration.link = ControlLink.connect(Integer.getInteger(PORT), points);
        Method main = type(System.getProperty(APPLICATION)).getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        List<Class<?>> configurations = new ArrayList<>(List.of(CrashConfiguration.class));
        for (String each : listed(CONFIGURATIONS)) {
            configurations.add(type(each));
        }
        SpringApplication.from(given -> run(main, given))
                .with(configurations.toArray(Class<?>[]::new))
                .run(arguments);
    }

    private static void run(Method main, String[] arguments) {
        try {
            main.invoke(null, (Object) arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(main + " failed", e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(main + " cannot be called", e);
        }
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        return ClassUtils.forName(name, CrashingApplication.class.getClassLoader());
    }

    /** The parts of a system property with commas. */
    static List<String> listed(String property) {
        String value = System.getProperty(property, "");
        return value.isEmpty() ? List.of() : List.of(value.split(","));
    }
}
