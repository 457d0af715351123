package dev.semel;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * What the core may know of: itself, the logging interface and nullness annotations; and which of its packages may know
 * which. The arrow is
 *
 * <pre>
 * Semel -> maintenance -> engine -> lease -> spi -> the API's values -> util
 * </pre>
 *
 * <p>The API is one package with two ends. Its values are what everything else is made of. {@link Semel} and the
 * operations that it binds are what users hold, and so the only classes of it, with the tools that work on a store, that
 * know what is behind it.
 */
@AnalyzeClasses(packages = "dev.semel", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    private static final DescribedPredicate<JavaClass> ENTRY_POINTS = resideInAPackage("dev.semel")
            .and(nameMatching("dev\\.semel\\.((Semel|Erasure)(\\$.*)?|ExternalOperation|TransactionalOperation)"))
            .as("the classes through which users enter");

    private static final DescribedPredicate<JavaClass> VALUES = resideInAPackage("dev.semel")
            .and(DescribedPredicate.not(ENTRY_POINTS))
            .as("the values of the API");

    private static final DescribedPredicate<JavaClass> OTHERS =
            DescribedPredicate.not(resideInAPackage("dev.semel..")).as("what others made");

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
    static final ArchRule helpersKnowNothing = onlyKnow("dev.semel.util", OTHERS.or(in("dev.semel.util")));

    @ArchTest
    static final ArchRule valuesKnowOnlyHelpers = classes()
            .that(VALUES)
            .should()
            .onlyDependOnClassesThat(OTHERS.or(VALUES).or(in("dev.semel.util")));

    @ArchTest
    static final ArchRule whatAStoreImplementsKnowsOnlyValues =
            onlyKnow("dev.semel.spi..", OTHERS.or(VALUES).or(in("dev.semel.spi..", "dev.semel.util")));

    @ArchTest
    static final ArchRule leasesKnowNothingOfTheEngine =
            onlyKnow("dev.semel.lease", OTHERS.or(VALUES).or(in("dev.semel.spi", "dev.semel.util", "dev.semel.lease")));

    @ArchTest
    static final ArchRule theEngineKnowsNothingOfMaintenance = onlyKnow(
            "dev.semel.engine",
            OTHERS.or(VALUES).or(in("dev.semel.spi", "dev.semel.util", "dev.semel.lease", "dev.semel.engine")));

    @ArchTest
    static final ArchRule maintenanceKnowsNothingOfItsCaller = onlyKnow(
            "dev.semel.maintenance",
            OTHERS.or(VALUES)
                    .or(in(
                            "dev.semel.spi",
                            "dev.semel.util",
                            "dev.semel.lease",
                            "dev.semel.engine",
                            "dev.semel.maintenance")));

    @ArchTest
    static final ArchRule storesKnowNothingOfTheEngine = onlyKnow(
            "dev.semel.memory", OTHERS.or(VALUES).or(in("dev.semel.spi..", "dev.semel.util", "dev.semel.memory")));

    @ArchTest
    static final ArchRule sealingKnowsNothingOfTheEngine = onlyKnow(
            "dev.semel.sealing", OTHERS.or(VALUES).or(in("dev.semel.spi..", "dev.semel.util", "dev.semel.sealing")));

    private static ArchRule onlyKnow(String those, DescribedPredicate<? super JavaClass> what) {
        return classes().that().resideInAPackage(those).should().onlyDependOnClassesThat(what);
    }

    private static DescribedPredicate<JavaClass> in(String... packages) {
        return resideInAnyPackage(packages);
    }
}
