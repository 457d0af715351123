package dev.semel.http;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which package of this module may use which. */
@AnalyzeClasses(packages = "dev.semel.http", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule packagesPointOneWay = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("behaviour")
            .definedBy("dev.semel.http.behaviour")
            .layer("protocol")
            .definedBy("dev.semel.http")
            .layer("shadow")
            .definedBy("dev.semel.http.shadow")
            .layer("dialect")
            .definedBy("dev.semel.http.dialect")
            .layer("replay")
            .definedBy("dev.semel.http.replay")
            .layer("carrier")
            .definedBy("dev.semel.http.carrier")
            .layer("openapi")
            .definedBy("dev.semel.http.openapi")
            .layer("stored")
            .definedBy("dev.semel.http.stored")
            .layer("key")
            .definedBy("dev.semel.http.key")
            .layer("header")
            .definedBy("dev.semel.http.header")
            .layer("problem")
            .definedBy("dev.semel.http.problem")
            .layer("fingerprint")
            .definedBy("dev.semel.http.fingerprint")
            .layer("spool")
            .definedBy("dev.semel.http.spool")
            .layer("json")
            .definedBy("dev.semel.http.json")
            .ensureAllClassesAreContainedInArchitecture()
            .whereLayer("behaviour")
            .mayOnlyAccessLayers("protocol", "shadow")
            .whereLayer("protocol")
            .mayOnlyAccessLayers(
                    "shadow",
                    "dialect",
                    "replay",
                    "carrier",
                    "openapi",
                    "stored",
                    "key",
                    "header",
                    "problem",
                    "fingerprint",
                    "spool",
                    "json")
            .whereLayer("shadow")
            .mayOnlyAccessLayers("spool")
            .whereLayer("dialect")
            .mayOnlyAccessLayers("key", "problem", "json")
            .whereLayer("carrier")
            .mayOnlyAccessLayers("header", "fingerprint", "json")
            .whereLayer("replay")
            .mayOnlyAccessLayers("dialect", "stored", "problem", "fingerprint", "json")
            .whereLayer("openapi")
            .mayOnlyAccessLayers("dialect", "problem", "json")
            .whereLayer("stored")
            .mayOnlyAccessLayers("problem", "json")
            .whereLayer("fingerprint")
            .mayOnlyAccessLayers("spool", "json")
            .whereLayer("problem")
            .mayOnlyAccessLayers("json")
            .whereLayer("key")
            .mayNotAccessAnyLayer()
            .whereLayer("header")
            .mayNotAccessAnyLayer()
            .whereLayer("spool")
            .mayNotAccessAnyLayer()
            .whereLayer("json")
            .mayNotAccessAnyLayer();
}
