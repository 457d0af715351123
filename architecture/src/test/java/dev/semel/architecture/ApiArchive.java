package dev.semel.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;

/**
 * The API of several modules as a jar of class files without code: what japicmp needs of a release. It has the types that
 * {@link ApiListing} lists, and those that they inherit from. The same API makes the same bytes, whichever Java has compiled it.
 */
final class ApiArchive {

    private static final LocalDateTime ALWAYS = LocalDateTime.of(1980, 1, 1, 0, 0);

    private final Map<String, Path> compiled = new HashMap<>();
    private final Set<String> visible = new HashSet<>();

    private ApiArchive() {}

    static byte[] of(List<SourceModule> modules) {
        ApiArchive archive = new ApiArchive();
        modules.forEach(archive::add);
        return zipped(archive.classes());
    }

    private void add(SourceModule module) {
        Path classes = module.directory().resolve("target/classes");
        try (Stream<Path> files = Files.walk(classes)) {
            files.filter(file -> file.toString().endsWith(".class"))
                    .forEach(file -> compiled.put(nameOf(classes.relativize(file)), file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ApiListing.typesOf(module).stream()
                .map(JavaClass::getName)
                .map(name -> name.replace('.', '/'))
                .forEach(visible::add);
    }

    private static String nameOf(Path file) {
        return file.toString().replace(file.getFileSystem().getSeparator(), "/").replace(".class", "");
    }

    /** The class files by their names, beginning with what is visible and going up to what that inherits from. */
    private Map<String, byte[]> classes() {
        Map<String, byte[]> classes = new TreeMap<>();
        Deque<String> open = new ArrayDeque<>(visible);
        while (!open.isEmpty()) {
            String name = open.remove();
            if (compiled.containsKey(name) && !classes.containsKey(name)) {
                Signatures signatures = Signatures.of(read(name), visible.contains(name), isClosed(name));
                classes.put(name, signatures.bytes());
                open.addAll(signatures.supertypes());
            }
        }
        return classes;
    }

    /** Whether users cannot implement it: what it permits is final, or closed again, or out of reach. */
    private boolean isClosed(String name) {
        List<String> permitted = read(name).permittedSubclasses;
        return permitted != null
                && permitted.stream()
                        .filter(visible::contains)
                        .allMatch(each -> (read(each).access & Opcodes.ACC_FINAL) != 0 || isClosed(each));
    }

    private ClassNode read(String name) {
        try {
            ClassNode read = new ClassNode();
            new ClassReader(Files.readAllBytes(compiled.get(name)))
                    .accept(read, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long crc(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return crc.getValue();
    }

    private static byte[] zipped(Map<String, byte[]> classes) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            // Each Java compresses in its own way, and the repository does it anyway.
            zip.setMethod(ZipOutputStream.STORED);
            for (Map.Entry<String, byte[]> type : classes.entrySet()) {
                ZipEntry entry = new ZipEntry(type.getKey() + ".class");
                // Not an instant, which would be written in the time zone of this machine.
                entry.setTimeLocal(ALWAYS);
                entry.setSize(type.getValue().length);
                entry.setCrc(crc(type.getValue()));
                zip.putNextEntry(entry);
                zip.write(type.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
