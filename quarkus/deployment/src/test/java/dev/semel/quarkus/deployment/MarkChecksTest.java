package dev.semel.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.rest.Idempotent;
import io.quarkus.resteasy.reactive.server.deployment.ResteasyReactiveResourceMethodEntriesBuildItem.Entry;
import io.smallrye.mutiny.Multi;
import jakarta.enterprise.inject.spi.DeploymentException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jboss.jandex.ClassInfo;
import org.jboss.jandex.Index;
import org.jboss.jandex.MethodInfo;
import org.jboss.resteasy.reactive.common.model.ResourceMethod;
import org.junit.jupiter.api.Test;

/** What the build refuses. */
class MarkChecksTest {

    interface Marked {
        @Idempotent("inherited")
        void inherited();
    }

    static class Good implements Marked {
        @Idempotent("charge")
        void post() {}

        @Override
        public void inherited() {}

        @Idempotent
        void patch() {}

        void unmarked() {}
    }

    @Idempotent
    static class WholeClass {
        void get() {}

        void post() {}
    }

    static class Streams {
        @Idempotent
        Multi<String> post() {
            return Multi.createFrom().empty();
        }
    }

    static class Safe {
        @Idempotent
        void get() {}
    }

    static class TwoOfOneName {
        @Idempotent("charge")
        void post() {}

        @Idempotent("charge")
        void patch() {}
    }

    static class NoName {
        @Idempotent("not\na name")
        void post() {}
    }

    @Test
    void operationsAreNamedByTheirMarksWhereverTheseAre() throws Exception {
        assertThat(check(Good.class))
                .isEqualTo(Map.of(
                        "charge", place(Good.class, "post"),
                        "inherited", place(Good.class, "inherited"),
                        "Good.patch", place(Good.class, "patch")));
        assertThat(check(WholeClass.class)).containsOnlyKeys("WholeClass.post");
    }

    @Test
    void whatCannotWorkIsRefused() {
        refuses(Streams.class, "streams its response as io.smallrye.mutiny.Multi");
        refuses(Safe.class, "answers GET only");
        refuses(TwoOfOneName.class, "is the name of two methods");
        refuses(NoName.class, "is not valid");
    }

    @Test
    void aMarkThatNoRequestReachesIsRefused() {
        assertThatThrownBy(() -> new MarkChecks(marks(Good.class)).check(List.of()))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("never called by a request");
    }

    @Test
    void anUnknownDialectIsRefused() {
        MarkChecks.dialect("stripe");
        assertThatThrownBy(() -> MarkChecks.dialect("klingon"))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining("klingon")
                .hasMessageContaining("stripe");
    }

    private static void refuses(Class<?> resource, String because) {
        assertThatThrownBy(() -> check(resource))
                .isInstanceOf(DeploymentException.class)
                .hasMessageContaining(because);
    }

    private static String place(Class<?> type, String method) {
        return type.getName() + "." + method + "()";
    }

    private static MarkedMethods marks(Class<?> resource) throws IOException {
        // Without the interface where nothing implements it: its mark would be one that no request reaches.
        return new MarkedMethods(
                Marked.class.isAssignableFrom(resource) ? Index.of(resource, Marked.class) : Index.of(resource));
    }

    /** Checks a class of resource methods, each of which is named after its HTTP method, or else answers POST. */
    private static Map<String, String> check(Class<?> resource) throws IOException {
        MarkedMethods marks = marks(resource);
        ClassInfo type = marks.index().getClassByName(resource);
        List<Entry> entries = new ArrayList<>();
        for (MethodInfo method : type.methods()) {
            if (!method.isConstructor()) {
                ResourceMethod answered = new ResourceMethod();
                answered.setHttpMethod(
                        method.name().equals("get") || method.name().equals("patch")
                                ? method.name().toUpperCase(Locale.ROOT)
                                : "POST");
                entries.add(new Entry(null, method, type, answered));
            }
        }
        return new MarkChecks(marks).check(entries);
    }
}
