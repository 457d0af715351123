package dev.semel.servlet;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The filter knows the protocol and the servlet API, and no container. */
@AnalyzeClasses(packages = "dev.semel.servlet", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule theFilterKnowsNoContainer = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.semel",
                    "dev.semel.observe",
                    "dev.semel.policy",
                    "dev.semel.store",
                    "dev.semel.util",
                    "dev.semel.http..",
                    "dev.semel.servlet",
                    "jakarta.servlet..",
                    "java..",
                    "org.jspecify..",
                    "org.slf4j..");
}
