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
 * Semel and its operations -> maintenance -> engine -> lease, retry -> spi -> policy, store -> the API's values -> util
 * </pre>
 *
 * <p>The API's own package has two ends. Its values are what everything else is made of. {@link Semel} and the operations
 * that it binds are what users hold, and so the only classes of it that know what is behind them. A {@link Call} and the
 * package {@code observe} stand in between: they know policies, and the engine knows them.
 */
@AnalyzeClasses(packages = "dev.semel", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    private static final DescribedPredicate<JavaClass> OTHERS =
            DescribedPredicate.not(resideInAPackage("dev.semel..")).as("what others made");

    private static final DescribedPredicate<JavaClass> CALL = resideInAPackage("dev.semel")
            .and(nameMatching("dev\\.semel\\.Call(\\$.*)?"))
            .as("a call");

    private static final DescribedPredicate<JavaClass> ENTRY_POINTS = resideInAPackage("dev.semel")
            .and(nameMatching("dev\\.semel\\.(Semel(\\$.*)?|ExternalOperation|TransactionalOperation)"))
            .as("what users hold");

    private static final DescribedPredicate<JavaClass> VALUES = resideInAPackage("dev.semel")
            .and(DescribedPredicate.not(ENTRY_POINTS))
            .and(DescribedPredicate.not(CALL))
            .as("the values of the API");

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
    static final ArchRule helpersKnowNothing =
            classes().that().resideInAPackage("dev.semel.util").should().onlyDependOnClassesThat(OTHERS.or(in("util")));

    @ArchTest
    static final ArchRule valuesKnowOnlyHelpers = classes()
            .that(VALUES)
            .should()
            .onlyDependOnClassesThat(OTHERS.or(VALUES).or(in("util")));

    @ArchTest
    static final ArchRule policiesKnowOnlyValues = onlyKnowsValuesAnd("policy");

    @ArchTest
    static final ArchRule failuresOfAStoreKnowOnlyValues = onlyKnowsValuesAnd("store");

    @ArchTest
    static final ArchRule aCallKnowsOnlyPolicies = classes()
            .that(CALL)
            .should()
            .onlyDependOnClassesThat(OTHERS.or(VALUES).or(CALL).or(in("policy")));

    @ArchTest
    static final ArchRule observersKnowOnlyPoliciesAndCalls = classes()
            .that()
            .resideInAPackage("dev.semel.observe")
            .should()
            .onlyDependOnClassesThat(OTHERS.or(VALUES).or(CALL).or(in("observe", "policy")));

    @ArchTest
    static final ArchRule whatAStoreImplementsKnowsNothingOfTheEngine = onlyKnowsValuesAnd("spi..", "policy", "store");

    @ArchTest
    static final ArchRule aStoreInMemoryKnowsNothingOfTheEngine =
            onlyKnowsValuesAnd("memory", "spi..", "policy", "store");

    @ArchTest
    static final ArchRule sealingKnowsNothingOfTheEngine = onlyKnowsValuesAnd("sealing", "spi..", "policy", "store");

    @ArchTest
    static final ArchRule erasureKnowsNothingOfTheEngine = onlyKnowsValuesAnd("erasure", "spi", "policy", "store");

    @ArchTest
    static final ArchRule leasesKnowNothingOfTheEngine =
            onlyKnowsValuesAnd("lease", "spi", "observe", "policy", "store");

    @ArchTest
    static final ArchRule repetitionsKnowNothingOfTheEngine = onlyKnowsValuesAnd("retry", "spi", "observe", "store");

    @ArchTest
    static final ArchRule theEngineKnowsNothingOfMaintenance = classes()
            .that()
            .resideInAPackage("dev.semel.engine")
            .should()
            .onlyDependOnClassesThat(OTHERS.or(VALUES)
                    .or(CALL)
                    .or(in("engine", "lease", "retry", "spi", "observe", "policy", "store", "util")));

    @ArchTest
    static final ArchRule maintenanceKnowsNothingOfItsCaller =
            onlyKnowsValuesAnd("maintenance", "engine", "lease", "spi", "observe", "policy", "store");

    private static ArchRule onlyKnowsValuesAnd(String own, String... packages) {
        return classes()
                .that()
                .resideInAPackage("dev.semel." + own)
                .should()
                .onlyDependOnClassesThat(OTHERS.or(VALUES).or(in(own, "util")).or(in(packages)));
    }

    private static DescribedPredicate<JavaClass> in(String... packages) {
        String[] names = packages.clone();
        for (int i = 0; i < names.length; i++) {
            names[i] = "dev.semel." + names[i];
        }
        return resideInAnyPackage(names);
    }
}
