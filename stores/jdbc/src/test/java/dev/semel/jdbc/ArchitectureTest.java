package dev.semel.jdbc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which packages of the store may know of which. */
@AnalyzeClasses(packages = "dev.semel.jdbc", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule nothingInsideKnowsTheStore = noClasses()
            .that()
            .resideInAPackage("dev.semel.jdbc.*..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.semel.jdbc");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("dev.semel.jdbc.(**)").should().beFreeOfCycles();
}
