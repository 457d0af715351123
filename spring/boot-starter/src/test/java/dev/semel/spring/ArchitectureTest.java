package dev.semel.spring;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * The arrow between the packages: web and Kafka stand on the auto-configuration, that on the methods, those on
 * transactions and JSON, all of them on operations, and operations on what users see.
 */
@AnalyzeClasses(packages = "dev.semel.spring", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule packagesKnowOnlyWhatIsBelowThem = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("web")
            .definedBy("dev.semel.spring.web")
            .layer("kafka")
            .definedBy("dev.semel.spring.kafka")
            .layer("autoconfigure")
            .definedBy("dev.semel.spring.autoconfigure")
            .layer("method")
            .definedBy("dev.semel.spring.method")
            .layer("transaction")
            .definedBy("dev.semel.spring.transaction")
            .layer("json")
            .definedBy("dev.semel.spring.json")
            .layer("operation")
            .definedBy("dev.semel.spring.operation")
            .layer("root")
            .definedBy("dev.semel.spring")
            .whereLayer("web")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("kafka")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("autoconfigure")
            .mayOnlyBeAccessedByLayers("web", "kafka")
            .whereLayer("method")
            .mayOnlyBeAccessedByLayers("autoconfigure", "kafka")
            .whereLayer("transaction")
            .mayOnlyBeAccessedByLayers("method", "autoconfigure", "web", "kafka")
            .whereLayer("json")
            .mayOnlyBeAccessedByLayers("method", "autoconfigure", "kafka")
            .whereLayer("root")
            .mayNotAccessAnyLayer();
}
