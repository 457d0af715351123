package dev.semel.testkit.contract.support;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayNameGenerator;

/**
 * Names each test after the group that declares it and the behaviour it checks: {@code
 * G1OneOwner.exactlyOneRacerAcquires} becomes "G1 one owner: exactly one racer acquires".
 */
final class GroupNames extends DisplayNameGenerator.Standard {

    @Override
    public String generateDisplayNameForMethod(
            List<Class<?>> enclosingInstanceTypes, Class<?> testClass, Method testMethod) {
        String group = words(testMethod.getDeclaringClass().getSimpleName());
        return group.substring(0, 1).toUpperCase(Locale.ROOT) + group.substring(1) + ": " + words(testMethod.getName());
    }

    private static String words(String camelCase) {
        return camelCase.replaceAll("(?<=.)(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }
}
