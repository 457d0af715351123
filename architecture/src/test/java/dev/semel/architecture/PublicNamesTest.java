package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** One simple name has one meaning in all that is published. */
class PublicNamesTest {

    /** One per framework, and nobody imports both: docs/decisions/0038-jakarta-rest.md. */
    private static final Map<String, Set<String>> PER_FRAMEWORK =
            Map.of("Idempotent", Set.of("dev.semel.rest.Idempotent", "dev.semel.spring.Idempotent"));

    @Test
    void noTwoPublicTypesHaveOneSimpleName() {
        Map<String, Set<String>> byName = byName(JavaClass::isTopLevelClass);
        assertThat(byName).as("the public types").containsKeys("Semel", "StoreContract", "Outbox");

        byName.values().removeIf(types -> types.size() == 1);
        assertThat(byName).isEqualTo(PER_FRAMEWORK);
    }

    /** Among themselves they may share names, because each is written with the type that it is nested in. */
    @Test
    void noNestedTypeHasTheSimpleNameOfAPublicType() {
        Map<String, Set<String>> nested = byName(JavaClass::isNestedClass);
        assertThat(nested).as("the nested types").containsKeys("Builder", "Settled");

        nested.keySet().retainAll(byName(JavaClass::isTopLevelClass).keySet());
        assertThat(nested).isEmpty();
    }

    private static Map<String, Set<String>> byName(Predicate<JavaClass> which) {
        Map<String, Set<String>> byName = new TreeMap<>();
        for (SourceModule module : SourceModule.published()) {
            for (JavaClass type : module.classes()) {
                if (which.test(type) && ApiListing.isVisible(type)) {
                    byName.computeIfAbsent(type.getSimpleName(), name -> new TreeSet<>())
                            .add(type.getName());
                }
            }
        }
        return byName;
    }
}
