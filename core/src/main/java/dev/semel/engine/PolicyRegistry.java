package dev.semel.engine;

import dev.semel.policy.Policy;
import dev.semel.util.Text;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The policies that an engine knows, by the current and former names of their operations. */
public final class PolicyRegistry {

    private final Map<String, Policy> policies = new ConcurrentHashMap<>();

    /** The known policies: a live view, which also shows those that are registered later. */
    public Map<String, Policy> policies() {
        return Collections.unmodifiableMap(policies);
    }

    /** Registers a policy; refuses it if another policy with one of its names treats keys differently. */
    public void register(Policy policy) {
        if (policy.equals(policies.get(policy.operation()))) {
            return;
        }
        List<String> names = new ArrayList<>(policy.formerly());
        names.add(policy.operation());
        for (String name : names) {
            requireSame(name, policies.get(name), policy);
        }
        for (String name : names) {
            requireSame(name, policies.putIfAbsent(name, policy), policy);
        }
    }

    private static void requireSame(String name, @Nullable Policy known, Policy policy) {
        String difference = known == null ? "" : difference(known, policy);
        if (!difference.isEmpty()) {
            throw new IllegalArgumentException("two policies that differ share the name " + Text.quote(name) + ": "
                    + difference + "; give the operations different names, or one policy");
        }
    }

    /**
     * Lists the settings in which two policies would treat a key differently; empty if there are none. It leaves out how
     * duplicates are answered, which may differ from call to call, and predicates, which cannot be compared.
     */
    private static String difference(Policy known, Policy other) {
        List<String> differences = new ArrayList<>();
        differ(differences, "name", known.operation(), other.operation());
        differ(differences, "former names", known.formerly(), other.formerly());
        differ(differences, "mode", known.mode(), other.mode());
        differ(differences, "lease", known.lease(), other.lease());
        differ(differences, "retention", known.retention(), other.retention());
        differ(differences, "briefRetention", known.briefRetention(), other.briefRetention());
        differ(differences, "recovery", known.recovery(), other.recovery());
        differ(differences, "whenStoreIsDown", known.whenStoreIsDown(), other.whenStoreIsDown());
        differ(differences, "maxPayload", known.maxPayload(), other.maxPayload());
        return String.join(", ", differences);
    }

    private static void differ(List<String> differences, String what, @Nullable Object mine, @Nullable Object theirs) {
        if (!Objects.equals(mine, theirs)) {
            differences.add(what + " " + mine + " and " + theirs);
        }
    }
}
