package dev.semel.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for the packages of every module. */
class PackagesTest {

    private static final int MOST_FILES = 25;
    private static final Pattern NULL_MARKED = Pattern.compile("(?m)^@(org\\.jspecify\\.annotations\\.)?NullMarked\\b");

    static List<SourceModule> modules() {
        return SourceModule.all();
    }

    static List<SourceModule> javaModules() {
        return modules().stream().filter(module -> !module.isKotlin()).toList();
    }

    static List<SourceModule> compiled() {
        return SourceModule.compiled();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void noPackageHasMoreThan25Files(SourceModule module) {
        Map<String, Integer> tooLarge = new TreeMap<>();
        module.packages().forEach((name, files) -> {
            if (files.size() > MOST_FILES) {
                tooLarge.put(name, files.size());
            }
        });

        assertThat(tooLarge).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("javaModules")
    void everyPackageIsNullMarked(SourceModule module) {
        Set<String> unmarked = new TreeSet<>();
        module.packages().forEach((name, files) -> {
            if (files.stream()
                    .filter(file -> file.endsWith("package-info.java"))
                    .noneMatch(
                            file -> NULL_MARKED.matcher(SourceModule.read(file)).find())) {
                unmarked.add(name);
            }
        });

        assertThat(unmarked)
                .as("packages without a package-info.java that says @NullMarked")
                .isEmpty();
    }

    @Test
    void everyPublishedModuleIsLookedAt() {
        assertThat(SourceModule.compiled())
                .as("dependencies in architecture/pom.xml")
                .isNotEmpty()
                .containsAll(SourceModule.published());
    }

    @ParameterizedTest
    @MethodSource("compiled")
    void internalPackagesAreUsedWhereTheyAreExportedTo(SourceModule module) {
        Map<String, SourceModule> internal = new HashMap<>();
        for (SourceModule other : SourceModule.all()) {
            if (!other.equals(module)) {
                other.packagesClosedTo(module).forEach(name -> internal.put(name, other));
            }
        }
        Set<String> uses = new TreeSet<>();
        for (JavaClass each : module.classes()) {
            for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass();
                if (internal.containsKey(target.getPackageName())) {
                    uses.add(each.getName() + " uses " + target.getName() + " of "
                            + internal.get(target.getPackageName()));
                }
            }
        }

        assertThat(uses).isEmpty();
    }

    /** A root package has two ends, what users call and what everything is made of; its module says which is which. */
    @ParameterizedTest
    @MethodSource("compiled")
    void packagesHaveNoCycles(SourceModule module) {
        String root = module.packages().keySet().stream()
                .min(Comparator.comparingInt(String::length))
                .orElseThrow();
        boolean rootHasRules = module.hasArchitectureTest();

        slices().assignedFrom(new SliceAssignment() {
                    @Override
                    public String getDescription() {
                        return "packages of " + module;
                    }

                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
                        String name = javaClass.getPackageName();
                        return rootHasRules && name.equals(root) ? SliceIdentifier.ignore() : SliceIdentifier.of(name);
                    }
                })
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true)
                .check(module.classes());
    }
}
