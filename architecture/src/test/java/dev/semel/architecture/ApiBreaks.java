package dev.semel.architecture;

import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.cmp.JarArchiveComparatorOptions.ClassPathMode;
import japicmp.model.JApiBehavior;
import japicmp.model.JApiChangeStatus;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibility;
import japicmp.model.JApiCompatibilityChange;
import japicmp.model.JApiParameter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** How one {@link ApiArchive} differs from another, by japicmp. */
final class ApiBreaks {

    private final Collection<String> breaks = new TreeSet<>();

    private ApiBreaks() {}

    /** What callers or implementers of the old API cannot compile or run with the new one, a line for each. */
    static List<String> between(byte[] before, byte[] after) {
        ApiBreaks found = new ApiBreaks();
        compared(before, after).forEach(found::add);
        return List.copyOf(found.breaks);
    }

    /** The types that differ, also in what breaks no caller. */
    static List<String> changedTypes(byte[] before, byte[] after) {
        return compared(before, after).stream()
                .filter(type -> type.getChangeStatus() != JApiChangeStatus.UNCHANGED)
                .map(JApiClass::getFullyQualifiedName)
                .toList();
    }

    private static List<JApiClass> compared(byte[] before, byte[] after) {
        JarArchiveComparatorOptions options = new JarArchiveComparatorOptions();
        options.setClassPathMode(ClassPathMode.TWO_SEPARATE_CLASSPATHS);
        // Types of other libraries are not on this class path, and their API is not ours.
        options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true);
        return new JarArchiveComparator(options)
                .compare(new JApiCmpArchive(before, "before", "before"), new JApiCmpArchive(after, "after", "after"));
    }

    private void add(JApiClass type) {
        String name = type.getFullyQualifiedName();
        add(name, type);
        add(name, type.getSuperclass());
        type.getInterfaces().forEach(each -> add(name + " implements " + each.getFullyQualifiedName(), each));
        type.getFields().forEach(field -> add(name + "." + field.getName(), field));
        type.getConstructors().forEach(constructor -> addBehavior(name + ".new", constructor));
        type.getMethods().forEach(method -> {
            addBehavior(name + "." + method.getName(), method);
            add(name + "." + method.getName() + parameters(method), method.getReturnType());
        });
    }

    private void addBehavior(String name, JApiBehavior behavior) {
        String signature = name + parameters(behavior);
        add(signature, behavior);
        behavior.getParameters().forEach(parameter -> add(signature, parameter));
    }

    private static String parameters(JApiBehavior behavior) {
        return behavior.getParameters().stream()
                .map(JApiParameter::getType)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private void add(String where, JApiCompatibility compared) {
        for (JApiCompatibilityChange change : new ArrayList<>(compared.getCompatibilityChanges())) {
            if (!change.isBinaryCompatible() || !change.isSourceCompatible()) {
                breaks.add(where + " " + change.getType());
            }
        }
    }
}
