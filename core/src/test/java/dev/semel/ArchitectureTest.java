package dev.semel;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What the core may know of: itself, the logging interface and nullness annotations. */
@AnalyzeClasses(packages = "dev.semel", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule coreNeedsNothingElse = classes()
            .that()
            .resideInAPackage("dev.semel..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("dev.semel..", "java..", "javax.crypto..", "org.slf4j..", "org.jspecify..");

    @ArchTest
    static final ArchRule coreKnowsNoDriver = noClasses()
            .that()
            .resideInAPackage("dev.semel..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..", "java.net.http..");

    @ArchTest
    static final ArchRule theEngineKnowsNoParticularStore = noClasses()
            .that()
            .resideInAnyPackage("dev.semel", "dev.semel.spi")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.semel.memory..");
}
