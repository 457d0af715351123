package dev.semel.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * A module of this repository that has main code.
 *
 * @param artifact its artifact id
 * @param directory where it is
 */
record SourceModule(String artifact, Path directory) {

    static final Path ROOT = Path.of(System.getProperty("basedir", ""))
            .toAbsolutePath()
            .normalize()
            .getParent();

    private static final List<String> LANGUAGES = List.of("java", "kotlin");
    private static final Pattern SOURCE = Pattern.compile("(?<!^module-info)\\.(java|kt)$");
    private static final Pattern INTERNAL = Pattern.compile("\\binternal\\b", Pattern.CASE_INSENSITIVE);

    /** Every module that the root POM names. */
    static List<SourceModule> all() {
        List<SourceModule> modules = new ArrayList<>();
        for (Element module : elements(ROOT.resolve("pom.xml"), "module")) {
            Path directory = ROOT.resolve(module.getTextContent());
            if (LANGUAGES.stream().anyMatch(language -> Files.isDirectory(directory.resolve("src/main/" + language)))) {
                modules.add(new SourceModule(artifactOf(directory.resolve("pom.xml")), directory));
            }
        }
        return modules;
    }

    /** Those that users get: the BOM names them. */
    static List<SourceModule> published() {
        return dependenciesOf("bom/pom.xml");
    }

    /** Those whose classes this module can read, because they are compiled before it. */
    static List<SourceModule> compiled() {
        return dependenciesOf("architecture/pom.xml");
    }

    private static List<SourceModule> dependenciesOf(String pom) {
        Set<String> artifacts = elements(ROOT.resolve(pom), "dependency").stream()
                .map(SourceModule::artifact)
                .collect(Collectors.toSet());
        return all().stream()
                .filter(module -> artifacts.contains(module.artifact))
                .toList();
    }

    /** The main classes. */
    JavaClasses classes() {
        Path classes = directory.resolve("target/classes");
        if (!Files.isDirectory(classes)) {
            throw new IllegalStateException(
                    artifact + " is not compiled: add it to the dependencies in architecture/pom.xml");
        }
        return new ClassFileImporter().importPath(classes);
    }

    /** The main source files by their packages. */
    Map<String, List<Path>> packages() {
        Path sources = LANGUAGES.stream()
                .map(language -> directory.resolve("src/main/" + language))
                .filter(Files::isDirectory)
                .findFirst()
                .orElseThrow();
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file ->
                            SOURCE.matcher(file.getFileName().toString()).find())
                    .collect(Collectors.groupingBy(
                            file -> sources.relativize(file.getParent())
                                    .toString()
                                    .replace(file.getFileSystem().getSeparator(), "."),
                            TreeMap::new,
                            Collectors.toList()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What its {@code module-info} says, if it has one. */
    Optional<ModuleDescriptor> descriptor() {
        Path file = directory.resolve("target/classes/module-info.class");
        if (!Files.exists(directory.resolve("src/main/java/module-info.java"))) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file)) {
            return Optional.of(ModuleDescriptor.read(in));
        } catch (IOException e) {
            throw new UncheckedIOException(artifact + " is not compiled", e);
        }
    }

    /** The name of its module, as its manifest says it. */
    String moduleName() {
        return elements(directory.resolve("pom.xml"), "module.name").get(0).getTextContent();
    }

    /** The packages that it does not export to everybody; without a {@code module-info}, those that say so themselves. */
    Set<String> internalPackages() {
        Set<String> internal = new TreeSet<>(packages().keySet());
        descriptor()
                .ifPresentOrElse(
                        module -> module.exports().stream()
                                .filter(exports -> !exports.isQualified())
                                .forEach(exports -> internal.remove(exports.source())),
                        () -> internal.retainAll(packagesThatSayInternal()));
        return internal;
    }

    /** The internal packages that it does not export to this other module either; the halves of an extension share theirs. */
    Set<String> packagesClosedTo(SourceModule other) {
        Set<String> closed = other.artifact.equals(artifact + "-deployment") ? new TreeSet<>() : internalPackages();
        descriptor().stream()
                .flatMap(module -> module.exports().stream())
                .filter(exports -> exports.targets().contains(other.moduleName()))
                .forEach(exports -> closed.remove(exports.source()));
        return closed;
    }

    /** The packages whose {@code package-info.java} says that they are internal. */
    Set<String> packagesThatSayInternal() {
        Set<String> internal = new TreeSet<>();
        packages().forEach((name, files) -> {
            for (Path file : files) {
                if (file.endsWith("package-info.java")
                        && INTERNAL.matcher(read(file)).find()) {
                    internal.add(name);
                }
            }
        });
        return internal;
    }

    /** Whether it has rules of its own for its packages. */
    boolean hasArchitectureTest() {
        try (Stream<Path> files = Files.walk(directory.resolve("src"))) {
            return files.anyMatch(file -> file.endsWith("ArchitectureTest.java"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return artifact;
    }

    /** Whether it is written in Kotlin, whose compiler knows what is null. */
    boolean isKotlin() {
        return Files.isDirectory(directory.resolve("src/main/kotlin"));
    }

    /** The text of every source file, main or test: by its name without {@code .java}, then by the module that has it. */
    static Map<String, Map<String, String>> sourcesByName() {
        Map<String, Map<String, String>> sources = new TreeMap<>();
        for (Element module : elements(ROOT.resolve("pom.xml"), "module")) {
            Path directory = ROOT.resolve(module.getTextContent()).resolve("src");
            if (Files.isDirectory(directory)) {
                try (Stream<Path> files = Files.walk(directory)) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .forEach(file -> sources.computeIfAbsent(
                                            file.getFileName().toString().replace(".java", ""), name -> new TreeMap<>())
                                    .merge(module.getTextContent(), read(file), String::concat));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        return sources;
    }

    /** The documentation of the repository. */
    static List<Path> pages() {
        try (Stream<Path> roots = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(roots, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String artifactOf(Path pom) {
        return elements(pom, "project").stream()
                .map(SourceModule::artifact)
                .findFirst()
                .orElseThrow();
    }

    private static String artifact(Element parent) {
        for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child.getNodeName().equals("artifactId")) {
                return child.getTextContent();
            }
        }
        throw new IllegalStateException("no artifactId in " + parent.getNodeName());
    }

    static List<Element> elements(Path pom, String name) {
        try {
            Document document =
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
            NodeList nodes = document.getElementsByTagName(name);
            List<Element> elements = new ArrayList<>();
            for (int i = 0; i < nodes.getLength(); i++) {
                elements.add((Element) nodes.item(i));
            }
            return elements;
        } catch (IOException | ParserConfigurationException | SAXException e) {
            throw new IllegalStateException("cannot read " + pom, e);
        }
    }
}
