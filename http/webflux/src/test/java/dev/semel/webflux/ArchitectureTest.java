package dev.semel.webflux;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The filter knows the protocol, Reactor and Spring's web interfaces, and no server. */
@AnalyzeClasses(packages = "dev.semel.webflux", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule theFilterKnowsNoServer = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.semel",
                    "dev.semel.observe",
                    "dev.semel.policy",
                    "dev.semel.store",
                    "dev.semel.http..",
                    "dev.semel.webflux",
                    "java..",
                    "org.jspecify..",
                    "org.reactivestreams..",
                    "org.slf4j..",
                    "org.springframework..",
                    "reactor..");
}
