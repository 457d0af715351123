package dev.semel.check;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which package of this module may use which. */
@AnalyzeClasses(packages = "dev.semel.check", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule packagesPointOneWay = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("report")
            .definedBy("dev.semel.check.report")
            .layer("check")
            .definedBy("dev.semel.check")
            .ensureAllClassesAreContainedInArchitecture()
            .whereLayer("report")
            .mayOnlyAccessLayers("check")
            .whereLayer("check")
            .mayNotAccessAnyLayer();
}
