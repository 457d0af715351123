package dev.semel.client;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which package of this module may use which. */
@AnalyzeClasses(packages = "dev.semel.client", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule packagesPointOneWay = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("client")
            .definedBy("dev.semel.client")
            .layer("libraries")
            .definedBy("dev.semel.client.apache", "dev.semel.client.feign", "dev.semel.client.okhttp")
            .layer("journal")
            .definedBy("dev.semel.client.journal")
            .layer("sending")
            .definedBy("dev.semel.client.sending")
            .layer("response")
            .definedBy("dev.semel.client.response")
            .ensureAllClassesAreContainedInArchitecture()
            .whereLayer("libraries")
            .mayOnlyAccessLayers("client")
            .whereLayer("client")
            .mayOnlyAccessLayers("journal", "sending", "response")
            .whereLayer("journal")
            .mayNotAccessAnyLayer()
            .whereLayer("sending")
            .mayNotAccessAnyLayer()
            .whereLayer("response")
            .mayNotAccessAnyLayer();
}
