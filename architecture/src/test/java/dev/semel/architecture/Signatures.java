package dev.semel.architecture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InnerClassNode;
import org.objectweb.asm.tree.MethodNode;

/** What users see of a class file, in an order that does not depend on its source: no code, nothing private, no annotations. */
final class Signatures {

    private static final int VISIBLE = Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED;
    private static final int MADE_BY_THE_COMPILER = Opcodes.ACC_SYNTHETIC | Opcodes.ACC_BRIDGE;

    private final ClassNode written = new ClassNode();

    private Signatures() {}

    /**
     * @param visible whether users can name it; otherwise it only lends its members to its subtypes
     * @param closed whether users cannot implement it, so that a new abstract method breaks no code of theirs
     */
    static Signatures of(ClassNode read, boolean visible, boolean closed) {
        Signatures signatures = new Signatures();
        signatures.header(read, visible ? 0 : VISIBLE);
        signatures.fields(read);
        signatures.methods(read, closed);
        signatures.sealWithoutConstructor();
        return signatures;
    }

    private void header(ClassNode read, int withdrawn) {
        written.version = Opcodes.V17;
        written.access = read.access & ~withdrawn;
        written.name = read.name;
        written.signature = read.signature;
        written.superName = read.superName;
        written.interfaces = read.interfaces;
        for (InnerClassNode inner : read.innerClasses) {
            // Java reads the modifiers of a nested class from here.
            if (inner.name.equals(read.name)) {
                written.innerClasses.add(
                        new InnerClassNode(inner.name, inner.outerName, inner.innerName, inner.access & ~withdrawn));
            }
        }
    }

    private void fields(ClassNode read) {
        read.fields.stream()
                .filter(field -> isVisible(field.access))
                .sorted(Comparator.comparing(field -> field.name))
                .forEach(field ->
                        written.fields.add(new FieldNode(field.access, field.name, field.desc, field.signature, null)));
    }

    private void methods(ClassNode read, boolean closed) {
        read.methods.stream()
                .filter(method -> isVisible(method.access))
                .sorted(Comparator.comparing(method -> method.name + method.desc))
                .forEach(method -> {
                    // As a default method need not be implemented, an annotation's element with a default need not be
                    // given.
                    boolean optional = closed || method.annotationDefault != null;
                    written.methods.add(new MethodNode(
                            optional ? method.access & ~Opcodes.ACC_ABSTRACT : method.access,
                            method.name,
                            method.desc,
                            method.signature,
                            method.exceptions.stream().sorted().toArray(String[]::new)));
                });
    }

    /** What users cannot construct, they cannot extend either. */
    private void sealWithoutConstructor() {
        boolean constructed = written.methods.stream().anyMatch(method -> method.name.equals("<init>"));
        if (!constructed && (written.access & Opcodes.ACC_INTERFACE) == 0) {
            written.access |= Opcodes.ACC_FINAL;
        }
    }

    private static boolean isVisible(int access) {
        return (access & VISIBLE) != 0 && (access & MADE_BY_THE_COMPILER) == 0;
    }

    /** The names of what it extends and implements. */
    List<String> supertypes() {
        List<String> names = new ArrayList<>(written.interfaces);
        if (written.superName != null) {
            names.add(written.superName);
        }
        return names;
    }

    byte[] bytes() {
        ClassWriter writer = new ClassWriter(0);
        written.accept(writer);
        return writer.toByteArray();
    }
}
