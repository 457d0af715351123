package dev.semel.quarkus.deployment;

import dev.semel.quarkus.runtime.CaptureFilter;
import dev.semel.quarkus.runtime.ClaimFilter;
import dev.semel.quarkus.runtime.GuardedMethod;
import dev.semel.quarkus.runtime.MarkedOperations;
import dev.semel.quarkus.runtime.MetricsBeans;
import dev.semel.quarkus.runtime.OperationsRecorder;
import dev.semel.quarkus.runtime.RestGuard;
import dev.semel.quarkus.runtime.SemelBeans;
import dev.semel.quarkus.runtime.StatusFilter;
import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.BeanContainerBuildItem;
import io.quarkus.deployment.IsLocalDevelopment;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.quarkus.deployment.builditem.FeatureBuildItem;
import io.quarkus.deployment.builditem.ServiceStartBuildItem;
import io.quarkus.deployment.metrics.MetricsCapabilityBuildItem;
import io.quarkus.devui.spi.page.CardPageBuildItem;
import io.quarkus.devui.spi.page.Page;
import io.quarkus.resteasy.reactive.server.deployment.ResteasyReactiveResourceMethodEntriesBuildItem;
import io.quarkus.resteasy.reactive.server.spi.MethodScannerBuildItem;
import io.quarkus.resteasy.reactive.spi.ContainerRequestFilterBuildItem;
import io.quarkus.resteasy.reactive.spi.ContainerResponseFilterBuildItem;
import io.quarkus.runtime.metrics.MetricsFactory;
import io.quarkus.smallrye.health.deployment.spi.HealthBuildItem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.MethodInfo;
import org.jboss.resteasy.reactive.server.model.HandlerChainCustomizer;
import org.jboss.resteasy.reactive.server.processor.scanning.MethodScanner;

/** Puts Semel into an application: beans, filters, and a hook in each marked resource method. */
class SemelProcessor {

    private static final String FEATURE = "semel";

    /** Named, because its class can be loaded only where the application has health checks. */
    private static final String HEALTH_CHECK = "dev.semel.quarkus.runtime.StoreHealthCheck";

    @BuildStep
    FeatureBuildItem feature() {
        return new FeatureBuildItem(FEATURE);
    }

    @BuildStep
    AdditionalBeanBuildItem beans() {
        return AdditionalBeanBuildItem.builder()
                .addBeanClasses(SemelBeans.class, RestGuard.class, MarkedOperations.class)
                .setUnremovable()
                .build();
    }

    /** Runs only if the application has quarkus-smallrye-health: nothing else uses health checks. */
    @BuildStep
    HealthBuildItem health(SemelBuildConfig config) {
        return new HealthBuildItem(HEALTH_CHECK, config.health().enabled());
    }

    @BuildStep
    void metrics(Optional<MetricsCapabilityBuildItem> metrics, BuildProducer<AdditionalBeanBuildItem> beans) {
        if (metrics.isPresent() && metrics.get().metricsSupported(MetricsFactory.MICROMETER)) {
            beans.produce(AdditionalBeanBuildItem.builder()
                    .addBeanClasses(MetricsBeans.class)
                    .setUnremovable()
                    .build());
        }
    }

    @BuildStep(onlyIf = IsLocalDevelopment.class)
    void devUi(SemelBuildConfig config, BuildProducer<CardPageBuildItem> cards) {
        config.consoleUrl().ifPresent(url -> {
            CardPageBuildItem card = new CardPageBuildItem();
            // In its own window, because the console does not let itself be framed.
            card.addPage(Page.externalPageBuilder("Console")
                    .icon("font-awesome-solid:key")
                    .url(url.toString())
                    .isHtmlContent()
                    .doNotEmbed());
            cards.produce(card);
        });
    }

    @BuildStep
    void filters(
            BuildProducer<ContainerRequestFilterBuildItem> requests,
            BuildProducer<ContainerResponseFilterBuildItem> responses) {
        requests.produce(new ContainerRequestFilterBuildItem.Builder(StatusFilter.class.getName())
                .setPreMatching(true)
                .setPriority(ClaimFilter.PRIORITY)
                .build());
        requests.produce(new ContainerRequestFilterBuildItem.Builder(ClaimFilter.class.getName())
                .setPriority(ClaimFilter.PRIORITY)
                .build());
        responses.produce(new ContainerResponseFilterBuildItem.Builder(CaptureFilter.class.getName())
                .setPriority(CaptureFilter.PRIORITY)
                .setCancellable(false)
                .build());
    }

    @BuildStep
    MethodScannerBuildItem markedMethods(CombinedIndexBuildItem index) {
        MarkedMethods marks = new MarkedMethods(index.getIndex());
        return new MethodScannerBuildItem(new MethodScanner() {
            @Override
            public List<HandlerChainCustomizer> scan(
                    MethodInfo method, ClassInfo resource, Map<String, Object> context) {
                AnnotationInstance mark = marks.markOf(method, resource);
                if (mark == null) {
                    return List.of();
                }
                GuardedMethod guarded = new GuardedMethod();
                guarded.setOperation(MarkedMethods.operation(mark, method, resource));
                return List.of(guarded);
            }
        });
    }

    /** Runs in every build, because a start of services is always asked for. */
    @BuildStep
    @Record(ExecutionTime.STATIC_INIT)
    void check(
            OperationsRecorder recorder,
            BeanContainerBuildItem beans,
            CombinedIndexBuildItem index,
            ResteasyReactiveResourceMethodEntriesBuildItem resources,
            BuildProducer<ServiceStartBuildItem> started) {
        // Read when the application starts; what is known of it now can be refused now.
        ConfigProvider.getConfig()
                .getOptionalValue("semel.dialect", String.class)
                .ifPresent(MarkChecks::dialect);
        Map<String, String> operations =
                new MarkChecks(new MarkedMethods(index.getIndex())).check(resources.getEntries());
        recorder.found(beans.getValue(), new TreeSet<>(operations.keySet()));
        started.produce(new ServiceStartBuildItem(FEATURE));
    }
}
