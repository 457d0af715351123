package dev.semel.gateway;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which package of this module may use which. */
@AnalyzeClasses(
        packages = {"dev.semel.cli", "dev.semel.demo", "dev.semel.gateway"},
        importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule packagesPointOneWay = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("cli")
            .definedBy("dev.semel.cli")
            .layer("plan")
            .definedBy("dev.semel.cli.plan")
            .layer("move")
            .definedBy("dev.semel.cli.move")
            .layer("demo")
            .definedBy("dev.semel.demo")
            .layer("gateway")
            .definedBy("dev.semel.gateway")
            .layer("proxy")
            .definedBy("dev.semel.gateway.proxy")
            .layer("identity")
            .definedBy("dev.semel.gateway.identity")
            .layer("admin")
            .definedBy("dev.semel.gateway.admin")
            .layer("triage")
            .definedBy("dev.semel.gateway.triage")
            .layer("access")
            .definedBy("dev.semel.gateway.access")
            .layer("stats")
            .definedBy("dev.semel.gateway.stats")
            .layer("quota")
            .definedBy("dev.semel.gateway.quota")
            .layer("config")
            .definedBy("dev.semel.gateway.config")
            .layer("files")
            .definedBy("dev.semel.gateway.files")
            .layer("log")
            .definedBy("dev.semel.gateway.log")
            .layer("framing")
            .definedBy("dev.semel.gateway.framing")
            .layer("limits")
            .definedBy("dev.semel.gateway.limits")
            .ensureAllClassesAreContainedInArchitecture()
            .whereLayer("cli")
            .mayOnlyAccessLayers("plan", "move", "demo", "gateway", "admin", "triage", "config", "files", "log")
            .whereLayer("plan")
            .mayOnlyAccessLayers("gateway", "config")
            .whereLayer("move")
            .mayOnlyAccessLayers("triage", "config", "files")
            .whereLayer("demo")
            .mayOnlyAccessLayers("gateway", "proxy", "config")
            .whereLayer("gateway")
            .mayOnlyAccessLayers("proxy", "identity", "admin", "stats", "quota", "config", "files", "limits", "log")
            .whereLayer("proxy")
            .mayOnlyAccessLayers("identity", "admin", "stats", "quota", "config", "framing", "limits", "log")
            .whereLayer("identity")
            .mayOnlyAccessLayers("config", "files")
            .whereLayer("admin")
            .mayOnlyAccessLayers("triage", "access", "stats", "quota", "config")
            .whereLayer("triage")
            .mayOnlyAccessLayers("config")
            .whereLayer("access")
            .mayOnlyAccessLayers("files")
            .whereLayer("stats")
            .mayOnlyAccessLayers("quota", "config")
            .whereLayer("quota")
            .mayOnlyAccessLayers("config")
            .whereLayer("config")
            .mayOnlyAccessLayers("access", "files", "log")
            .whereLayer("files")
            .mayNotAccessAnyLayer()
            .whereLayer("log")
            .mayNotAccessAnyLayer()
            .whereLayer("framing")
            .mayNotAccessAnyLayer()
            .whereLayer("limits")
            .mayNotAccessAnyLayer();
}
