package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A published module exports what is for users, and nothing else. */
class ModulesTest {

    /** Libraries that these need have no name that lasts: docs/decisions/0024-modules.md. */
    private static final Set<String> WITHOUT_MODULE_INFO = Set.of(
            "semel-cassandra",
            "semel-etcd",
            "semel-grpc",
            "semel-kafka",
            "semel-kotlin",
            "semel-quarkus",
            "semel-quarkus-deployment",
            "semel-spring-boot-starter",
            "semel-spring-boot-test",
            "semel-testkit");

    static List<SourceModule> withModuleInfo() {
        return SourceModule.published().stream()
                .filter(module -> !WITHOUT_MODULE_INFO.contains(module.artifact()))
                .toList();
    }

    @Test
    void everyOtherPublishedModuleHasAModuleInfo() {
        assertThat(SourceModule.published())
                .filteredOn(module -> module.descriptor().isEmpty())
                .extracting(SourceModule::artifact)
                .hasSameElementsAs(WITHOUT_MODULE_INFO);
    }

    @ParameterizedTest
    @MethodSource("withModuleInfo")
    void anInternalPackageSaysSoAndIsNotExported(SourceModule module) {
        assertThat(module.internalPackages()).isEqualTo(module.packagesThatSayInternal());
    }

    @ParameterizedTest
    @MethodSource("withModuleInfo")
    void internalPackagesAreExportedToModulesOfSemelOnly(SourceModule module) {
        assertThat(descriptor(module).exports())
                .filteredOn(Exports::isQualified)
                .flatExtracting(Exports::targets)
                .allMatch(target -> target.startsWith("dev.semel."));
    }

    @ParameterizedTest
    @MethodSource("withModuleInfo")
    void aModuleHasTheNameOfItsPom(SourceModule module) {
        assertThat(descriptor(module).name()).isEqualTo(module.moduleName());
    }

    private static ModuleDescriptor descriptor(SourceModule module) {
        return module.descriptor().orElseThrow();
    }
}
