package dev.semel.architecture;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture.LayerDependencySpecification;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Dependencies point one way in every module. A module that has no {@code ArchitectureTest} of its own has its table here. */
class LayersTest {

    /** Each line is a package, and those of its module that it may use, which stand below it. */
    private static final Map<String, String> TABLES = Map.of(
            "semel-attack", """
                    root > lab
                    lab >
                    """,
            "semel-benchmarks", """
                    root > engine http messaging postgres retention scale stores
                    postgres > design measure server
                    retention > design measure server
                    scale > http measure server
                    stores > design measure server
                    design > measure server
                    http > measure server
                    messaging > measure server
                    engine > measure
                    server > measure
                    measure >
                    """,
            "semel-jakarta-rest", """
                    root > message
                    message >
                    """,
            "semel-quarkus", """
                    runtime > root
                    root >
                    """,
            "semel-spring-boot-test", """
                    root > child
                    child >
                    """,
            "semel-testkit", """
                    failures > root
                    http > root
                    life > root
                    root > contract contract.support race
                    contract > contract.support race
                    check >
                    contract.support >
                    crash >
                    history >
                    memory >
                    race >
                    """,
            "semel-torture", """
                    root > broker database door fault load node peers plan process server service wire
                    load > broker database door fault node peers plan process server service wire
                    fault > database door node plan process server service wire
                    server > door node process service wire
                    door > broker plan process service
                    database > plan process service wire
                    plan > broker node service
                    node > broker peers process service
                    broker > process service
                    peers > service
                    wire > process
                    process >
                    service >
                    """);

    static List<SourceModule> modules() {
        return SourceModule.compiled().stream()
                .filter(module -> TABLES.containsKey(module.artifact()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void packagesPointOneWay(SourceModule module) {
        Map<String, List<String>> table = tableOf(module);
        String root = module.packages().keySet().stream()
                .min(Comparator.comparingInt(String::length))
                .orElseThrow();
        LayeredArchitecture layers = layeredArchitecture().consideringOnlyDependenciesInLayers();
        for (String name : table.keySet()) {
            String identifier = name.equals("root") ? root : root + "." + name;
            layers = layers.layer(name).definedBy(identifier, identifier + ".jmh_generated");
        }
        for (Map.Entry<String, List<String>> line : table.entrySet()) {
            LayerDependencySpecification layer = layers.whereLayer(line.getKey());
            layers = line.getValue().isEmpty()
                    ? layer.mayNotAccessAnyLayer()
                    : layer.mayOnlyAccessLayers(line.getValue().toArray(String[]::new));
        }

        layers.ensureAllClassesAreContainedInArchitecture().check(module.classes());
    }

    @ParameterizedTest
    @MethodSource("modules")
    void aPackageUsesOnlyThoseBelowIt(SourceModule module) {
        Map<String, List<String>> table = tableOf(module);
        Set<String> below = new HashSet<>(table.keySet());

        table.forEach((name, used) -> {
            below.remove(name);
            assertThat(below).as(name).containsAll(used);
        });
    }

    @Test
    void everyModuleOfSeveralPackagesHasATable() {
        List<String> artifacts = SourceModule.compiled().stream()
                .filter(module -> module.packages().size() > 1 && !module.hasArchitectureTest())
                .map(SourceModule::artifact)
                .toList();

        assertThat(artifacts).hasSameElementsAs(TABLES.keySet());
    }

    private static Map<String, List<String>> tableOf(SourceModule module) {
        Map<String, List<String>> table = new LinkedHashMap<>();
        TABLES.getOrDefault(module.artifact(), "").lines().forEach(line -> {
            List<String> words = List.of(line.strip().split(" "));
            assertThat(words.get(1)).as(line).isEqualTo(">");
            table.put(words.get(0), words.subList(2, words.size()));
        });
        return table;
    }
}
