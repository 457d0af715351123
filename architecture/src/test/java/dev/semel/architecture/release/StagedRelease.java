package dev.semel.architecture.release;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * A directory that {@code packaging/release/stage} has filled, and what keeps it from Maven Central. One file without libraries, so
 * that {@code java} runs it from its source.
 */
final class StagedRelease {

    private static final Map<String, String> CHECKSUMS =
            Map.of("md5", "MD5", "sha1", "SHA-1", "sha256", "SHA-256", "sha512", "SHA-512");

    /** The program, which is nobody's dependency, and therefore not in the BOM. */
    private static final String PROGRAM = "semel-gateway";

    private final Path group;
    private final boolean signed;
    private final Map<String, StagedPom> poms = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();

    private StagedRelease(Path directory, boolean signed) {
        this.group = directory.resolve("dev/semel");
        this.signed = signed;
    }

    public static void main(String[] arguments) {
        boolean signed = List.of(arguments).contains("--signed");
        List<String> directories =
                Stream.of(arguments).filter(each -> !each.startsWith("--")).toList();
        if (directories.size() != 1) {
            System.err.println("usage: packaging/release/check [--signed] DIRECTORY");
            System.exit(2);
        }
        List<String> problems = problems(Path.of(directories.get(0)), signed);
        problems.forEach(System.err::println);
        System.out.println(problems.isEmpty() ? "ready to be published" : problems.size() + " problems");
        System.exit(problems.isEmpty() ? 0 : 1);
    }

    /** What is wrong with the directory, a line for each; with {@code signed}, also files without a signature. */
    static List<String> problems(Path directory, boolean signed) {
        StagedRelease release = new StagedRelease(directory, signed);
        try {
            release.check();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + directory, e);
        }
        return release.problems;
    }

    private void check() throws IOException {
        if (!Files.isDirectory(group)) {
            problems.add(group + ": there is nothing of dev.semel");
            return;
        }
        Set<String> versions = new TreeSet<>();
        for (Path artifact : list(group)) {
            for (Path version : list(artifact)) {
                if (!Files.isDirectory(version)) {
                    problems.add(artifact.getFileName() + ": does not belong here: " + version.getFileName());
                    continue;
                }
                versions.add(version.getFileName().toString());
                String name = artifact.getFileName().toString();
                Path pom = version.resolve(name + "-" + version.getFileName() + ".pom");
                if (Files.isRegularFile(pom)) {
                    poms.put(name, StagedPom.read(pom));
                } else {
                    problems.add(pom.getFileName() + ": missing");
                }
            }
        }
        if (versions.size() != 1) {
            problems.add("more than one version: " + versions);
            return;
        }
        String version = versions.iterator().next();
        if (version.contains("SNAPSHOT")) {
            problems.add("a snapshot is no release: " + version);
        }
        for (Map.Entry<String, StagedPom> entry : poms.entrySet()) {
            StagedArtifact artifact = new StagedArtifact(entry.getKey(), version);
            artifact.metadata(entry.getValue());
            if (entry.getValue().packaging().equals("jar")) {
                artifact.jars();
            }
            artifact.files();
        }
        bom();
    }

    private void bom() {
        StagedPom bom = poms.get("semel-bom");
        if (bom == null) {
            problems.add("semel-bom: missing");
            return;
        }
        Set<String> listed = new TreeSet<>(bom.managed());
        Set<String> libraries = poms.entrySet().stream()
                .filter(entry -> entry.getValue().packaging().equals("jar"))
                .map(Map.Entry::getKey)
                .filter(name -> !name.equals(PROGRAM))
                .collect(Collectors.toCollection(TreeSet::new));
        for (String name : difference(listed, libraries)) {
            problems.add("semel-bom: lists " + name + ", which is not published");
        }
        for (String name : difference(libraries, listed)) {
            problems.add("semel-bom: does not list " + name);
        }
    }

    private static Set<String> difference(Set<String> of, Set<String> without) {
        Set<String> rest = new TreeSet<>(of);
        rest.removeAll(without);
        return rest;
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.sorted().toList();
        }
    }

    /** What is published under one name. */
    private final class StagedArtifact {

        private final String name;
        private final String version;
        private final Path directory;

        StagedArtifact(String name, String version) {
            this.name = name;
            this.version = version;
            this.directory = group.resolve(name).resolve(version);
        }

        void metadata(StagedPom pom) {
            for (String own : List.of("name", "description")) {
                require(pom.has(own), "the POM has no " + own);
            }
            StagedPom parent = poms.get("semel-parent");
            for (String inherited : List.of(
                    "url",
                    "licenses/license/name",
                    "licenses/license/url",
                    "scm/connection",
                    "scm/developerConnection",
                    "scm/url",
                    "developers/developer/name")) {
                boolean there = pom.has(inherited) || (pom.has("parent") && parent != null && parent.has(inherited));
                require(there, "the POM has no " + inherited);
            }
            require(!pom.text().contains("SNAPSHOT"), "the POM names a snapshot");
            for (String needed : pom.needed()) {
                require(poms.containsKey(needed), "needs " + needed + ", which is not published");
            }
        }

        void jars() throws IOException {
            Map<String, byte[]> jar = open("");
            String module = text(jar, "META-INF/MANIFEST.MF");
            require(
                    jar.containsKey("module-info.class") || module.contains("\nAutomatic-Module-Name: "),
                    "the jar has neither module-info.class nor an Automatic-Module-Name");
            require(
                    module.contains("\nImplementation-Version: " + version + "\r"),
                    "the manifest names another version");
            for (String required : List.of("META-INF/LICENSE", "META-INF/NOTICE")) {
                require(jar.containsKey(required), "the jar has no " + required);
            }
            sbom(jar);
            Map<String, byte[]> sources = open("-sources");
            require(
                    sources.keySet().stream().anyMatch(each -> each.endsWith(".java") || each.endsWith(".kt")),
                    "the sources jar has no sources");
            require(open("-javadoc").containsKey("index.html"), "the Javadoc jar has no index.html");
            if (name.equals(PROGRAM)) {
                program(open("-all"));
            }
        }

        /** Scanners find libraries by the list, or by a file that Maven puts beside their classes. */
        private void program(Map<String, byte[]> jar) {
            sbom(jar);
            for (String needed : poms.get(name).needed()) {
                require(
                        jar.containsKey("META-INF/maven/dev.semel/" + needed + "/pom.properties"),
                        "scanners do not see " + needed + " in the executable jar");
            }
            require(
                    jar.keySet().stream()
                            .anyMatch(each -> each.endsWith("/pom.properties") && !each.contains("/dev.semel/")),
                    "scanners see no library in the executable jar");
            for (String required : List.of("META-INF/LICENSE", "META-INF/NOTICE")) {
                require(jar.containsKey(required), "the executable jar has no " + required);
            }
        }

        private void sbom(Map<String, byte[]> jar) {
            List<String> lists = jar.keySet().stream()
                    .filter(each -> each.startsWith("META-INF/sbom/") && each.endsWith(".cdx.json"))
                    .toList();
            require(lists.size() == 1, "a jar has " + lists.size() + " SBOMs instead of one");
            for (String list : lists) {
                String text = text(jar, list);
                require(
                        text.contains("\"CycloneDX\"") && text.contains("pkg:maven/dev.semel/" + name + "@" + version),
                        list + " does not describe this jar");
                require(!text.contains("SNAPSHOT"), list + " names a snapshot");
            }
        }

        /** The small entries of a jar by name; of others, the name alone. */
        private Map<String, byte[]> open(String classifier) throws IOException {
            Path file = directory.resolve(name + "-" + version + classifier + ".jar");
            Map<String, byte[]> content = new LinkedHashMap<>();
            if (!Files.isRegularFile(file)) {
                require(false, "there is no " + file.getFileName());
                return content;
            }
            try (ZipFile jar = new ZipFile(file.toFile())) {
                for (ZipEntry entry : jar.stream().toList()) {
                    boolean read = entry.getName().startsWith("META-INF/");
                    content.put(entry.getName(), read ? read(jar, entry) : new byte[0]);
                }
            }
            return content;
        }

        private static byte[] read(ZipFile jar, ZipEntry entry) throws IOException {
            try (InputStream in = jar.getInputStream(entry)) {
                return in.readAllBytes();
            }
        }

        private static String text(Map<String, byte[]> jar, String entry) {
            return new String(jar.getOrDefault(entry, new byte[0]), StandardCharsets.UTF_8);
        }

        /** Every file has its checksums, and a signature if there has to be one. Maven writes no checksums of signatures. */
        void files() throws IOException {
            for (Path file : list(directory)) {
                String plain = file.getFileName().toString();
                boolean digest = CHECKSUMS.keySet().stream().anyMatch(each -> plain.endsWith("." + each));
                if (digest || plain.endsWith(".asc")) {
                    continue;
                }
                for (Map.Entry<String, String> checksum : CHECKSUMS.entrySet()) {
                    Path beside = file.resolveSibling(plain + "." + checksum.getKey());
                    require(
                            Files.isRegularFile(beside)
                                    && Files.readString(beside).strip().equals(digest(file, checksum.getValue())),
                            plain + ": its " + checksum.getValue() + " is missing or wrong");
                }
                if (signed) {
                    require(Files.isRegularFile(file.resolveSibling(plain + ".asc")), plain + ": not signed");
                }
            }
        }

        private static String digest(Path file, String algorithm) throws IOException {
            try {
                return HexFormat.of()
                        .formatHex(MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(file)));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("this Java has no " + algorithm, e);
            }
        }

        private void require(boolean holds, String problem) {
            if (!holds) {
                problems.add(name + ": " + problem);
            }
        }
    }
}

/** A published POM. */
record StagedPom(Element project, String text) {

    static StagedPom read(Path file) throws IOException {
        try {
            DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
            return new StagedPom(parser.parse(file.toFile()).getDocumentElement(), Files.readString(file));
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException("not a POM: " + file, e);
        }
    }

    String packaging() {
        return has("packaging") ? find("packaging").get(0).getTextContent() : "jar";
    }

    boolean has(String path) {
        return find(path).stream().anyMatch(each -> !each.getTextContent().isBlank());
    }

    /** The modules that the BOM lists. */
    List<String> managed() {
        return find("dependencyManagement/dependencies/dependency/artifactId").stream()
                .map(Element::getTextContent)
                .toList();
    }

    /** The modules that a user of this one gets with it. */
    List<String> needed() {
        return find("dependencies/dependency").stream()
                .filter(each -> child(each, "groupId").equals("dev.semel")
                        && !child(each, "scope").equals("test"))
                .map(each -> child(each, "artifactId"))
                .toList();
    }

    private static String child(Element parent, String name) {
        List<Element> found = find(parent, name);
        return found.isEmpty() ? "" : found.get(0).getTextContent();
    }

    private List<Element> find(String path) {
        return find(project, path);
    }

    private static List<Element> find(Element from, String path) {
        List<Element> found = List.of(from);
        for (String name : path.split("/", -1)) {
            List<Element> next = new ArrayList<>();
            for (Element each : found) {
                for (Node child = each.getFirstChild(); child != null; child = child.getNextSibling()) {
                    if (child instanceof Element element && element.getTagName().equals(name)) {
                        next.add(element);
                    }
                }
            }
            found = next;
        }
        return found;
    }
}
