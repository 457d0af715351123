package dev.semel.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.ThrowsDeclaration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Everything that code outside of a module can refer to, one line for each type and each member. */
final class ApiListing {

    private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString");

    private ApiListing() {}

    static List<String> of(SourceModule module) {
        Set<String> internal = module.internalPackages();
        JavaClasses all = module.classes();
        List<JavaClass> types = typesOf(all, internal);
        List<String> lines = new ArrayList<>();
        for (JavaClass type : types) {
            lines.add(shortened(header(type, internal)));
            // Members inherited from a package-private class are part of the public type.
            Stream<JavaClass> hidden = type.getAllRawSuperclasses().stream()
                    .filter(each -> all.contain(each.getName()) && !types.contains(all.get(each.getName())));
            Stream.concat(membersOf(type), hidden.flatMap(ApiListing::inheritedFrom))
                    .map(ApiListing::shortened)
                    .distinct()
                    .sorted()
                    .forEach(member -> lines.add("    " + member));
        }
        return lines;
    }

    static List<JavaClass> typesOf(SourceModule module) {
        return typesOf(module.classes(), module.internalPackages());
    }

    private static List<JavaClass> typesOf(JavaClasses all, Set<String> internal) {
        List<JavaClass> types = new ArrayList<>();
        for (JavaClass type : all) {
            if (!internal.contains(type.getPackageName()) && isVisible(type)) {
                types.add(type);
            }
        }
        types.sort(Comparator.comparing(JavaClass::getName));
        return types;
    }

    private static String shortened(String line) {
        return line.replaceAll("\\[L([\\w.$]+);", "$1[]")
                .replaceAll("\\[B\\b", "byte[]")
                .replaceAll("\\bjava\\.lang\\.(?=[A-Z])", "");
    }

    /** Whether code outside of its package can name it. */
    static boolean isVisible(JavaClass type) {
        if (type.isAnonymousClass() || type.isLocalClass() || !isVisible(type.getModifiers(), type)) {
            return false;
        }
        Optional<JavaClass> outer = type.getEnclosingClass();
        return outer.isEmpty() || isVisible(outer.get());
    }

    private static boolean isVisible(Set<JavaModifier> modifiers, JavaClass type) {
        return !modifiers.contains(JavaModifier.SYNTHETIC)
                && !modifiers.contains(JavaModifier.BRIDGE)
                && (modifiers.contains(JavaModifier.PUBLIC)
                        || (modifiers.contains(JavaModifier.PROTECTED)
                                && !type.getModifiers().contains(JavaModifier.FINAL)));
    }

    private static String header(JavaClass type, Set<String> internal) {
        String kind = type.isAnnotation()
                ? "@interface"
                : type.isInterface() ? "interface" : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
        String superclass = type.getSuperclass()
                .filter(each -> !each.toErasure().isEquivalentTo(Object.class))
                .map(each -> " extends " + each.getName())
                .orElse("");
        String interfaces = joined(
                " implements ",
                type.getInterfaces().stream()
                        .filter(each -> !internal.contains(each.toErasure().getPackageName()))
                        .map(JavaType::getName)
                        .sorted(),
                "");
        String parameters = joined("<", type.getTypeParameters().stream().map(JavaType::getName), ">");
        String modifiers = modifiers(type.getModifiers()).replace("static ", "");
        return modifiers + kind + " " + type.getName() + parameters + superclass + interfaces;
    }

    private static Stream<String> membersOf(JavaClass type) {
        Stream<String> constructors = type.getConstructors().stream()
                .filter(constructor -> isVisible(constructor.getModifiers(), type))
                .map(ApiListing::line);
        return Stream.concat(constructors, inheritedFrom(type));
    }

    private static Stream<String> inheritedFrom(JavaClass type) {
        Stream<String> fields = type.getFields().stream()
                .filter(field -> isVisible(field.getModifiers(), type))
                .map(ApiListing::line);
        Stream<String> methods = type.getMethods().stream()
                .filter(method -> isVisible(method.getModifiers(), type) && !OF_EVERY_OBJECT.contains(method.getName()))
                .map(ApiListing::line);
        return Stream.concat(fields, methods);
    }

    private static String line(JavaField field) {
        return modifiers(field.getModifiers()) + field.getType().getName() + " " + field.getName();
    }

    private static String line(JavaConstructor constructor) {
        return modifiers(constructor.getModifiers()) + "new" + signature(constructor);
    }

    private static String line(JavaMethod method) {
        return modifiers(method.getModifiers()) + method.getReturnType().getName() + " " + method.getName()
                + signature(method);
    }

    private static String signature(JavaCodeUnit unit) {
        String thrown = joined(
                " throws ",
                unit.getThrowsClause().stream()
                        .map(ThrowsDeclaration::getRawType)
                        .map(JavaClass::getName)
                        .sorted(),
                "");
        return unit.getParameterTypes().stream().map(JavaType::getName).collect(Collectors.joining(", ", "(", ")"))
                + thrown;
    }

    private static String joined(String before, Stream<String> names, String after) {
        String all = names.collect(Collectors.joining(", "));
        return all.isEmpty() ? "" : before + all + after;
    }

    /** Without those that mean nothing to callers. */
    private static String modifiers(Set<JavaModifier> modifiers) {
        return Stream.of(
                        JavaModifier.PUBLIC,
                        JavaModifier.PROTECTED,
                        JavaModifier.STATIC,
                        JavaModifier.ABSTRACT,
                        JavaModifier.FINAL)
                .filter(modifiers::contains)
                .map(modifier -> modifier.name().toLowerCase(Locale.ROOT) + " ")
                .collect(Collectors.joining());
    }
}
