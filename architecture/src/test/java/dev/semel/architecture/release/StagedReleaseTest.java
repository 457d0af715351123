package dev.semel.architecture.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The check of a staged release finds what is missing: a small release, damaged in one place at a time. */
class StagedReleaseTest {

    private static final String PARENT = """
            <project>
              <artifactId>semel-parent</artifactId>
              <packaging>pom</packaging>
              <name>Semel</name>
              <description>Safe to retry.</description>
              <url>https://example.com</url>
              <licenses><license><name>Apache-2.0</name><url>https://example.com/licence</url></license></licenses>
              <developers><developer><name>The team</name></developer></developers>
              <scm>
                <connection>scm:git:x</connection>
                <developerConnection>scm:git:y</developerConnection>
                <url>https://example.com/git</url>
              </scm>
            </project>
            """;

    @TempDir
    private Path staging;

    private final Map<String, String> core = module("semel-core");
    private final Map<String, String> gateway = module("semel-gateway");
    private final Map<String, String> program = module("semel-gateway");

    @BeforeEach
    void writeARelease() throws IOException {
        program.put("META-INF/maven/dev.semel/semel-core/pom.properties", "");
        program.put("META-INF/maven/io.example/library/pom.properties", "");
        write("semel-parent", ".pom", PARENT.getBytes(StandardCharsets.UTF_8));
        write("semel-bom", ".pom", bom("semel-core").getBytes(StandardCharsets.UTF_8));
        writeModules();
    }

    @Test
    void aCompleteReleaseIsReady() {
        assertThat(StagedRelease.problems(staging, false)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"META-INF/LICENSE", "META-INF/NOTICE", "META-INF/sbom/semel-core.cdx.json"})
    void missesAnEntryOfAJar(String entry) throws IOException {
        core.remove(entry);
        writeModules();

        assertThat(StagedRelease.problems(staging, false))
                .singleElement()
                .asString()
                .startsWith("semel-core: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "META-INF/LICENSE",
                "META-INF/sbom/semel-gateway.cdx.json",
                "META-INF/maven/dev.semel/semel-core/pom.properties",
                "META-INF/maven/io.example/library/pom.properties"
            })
    void missesAnEntryOfTheExecutableJar(String entry) throws IOException {
        program.remove(entry);
        writeModules();

        assertThat(StagedRelease.problems(staging, false))
                .singleElement()
                .asString()
                .startsWith("semel-gateway: ");
    }

    @Test
    void missesTheNameOfAModule() throws IOException {
        core.put("META-INF/MANIFEST.MF", "\nImplementation-Version: 0.1.0\r\n");
        writeModules();

        assertThat(StagedRelease.problems(staging, false))
                .containsExactly("semel-core: the jar has neither module-info.class nor an Automatic-Module-Name");
    }

    @ParameterizedTest
    @CsvSource({
        "META-INF/MANIFEST.MF, '\nAutomatic-Module-Name: dev.semel\nImplementation-Version: 0.1.0-SNAPSHOT\r'",
        "META-INF/sbom/semel-core.cdx.json, \"CycloneDX\" pkg:maven/dev.semel/semel-core@0.1.0-SNAPSHOT"
    })
    void seesASnapshotInAJar(String entry, String content) throws IOException {
        core.put(entry, content);
        writeModules();

        assertThat(StagedRelease.problems(staging, false))
                .isNotEmpty()
                .allMatch(problem -> problem.startsWith("semel-core: "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "description", "url", "licenses", "scm", "developers"})
    void missesAPartOfAPom(String element) throws IOException {
        String without = PARENT.replaceFirst(
                "(?s)\n  <" + element + ">.*?\n?  ?</" + element + ">|\n  <" + element + ">.*?</" + element + ">", "");
        assertThat(without).isNotEqualTo(PARENT);
        write("semel-parent", ".pom", without.getBytes(StandardCharsets.UTF_8));

        assertThat(StagedRelease.problems(staging, false))
                .anyMatch(problem -> problem.startsWith("semel-parent: the POM has no " + element));
    }

    @ParameterizedTest
    @ValueSource(strings = {".jar", "-sources.jar", "-javadoc.jar"})
    void missesAFile(String file) throws IOException {
        Files.delete(file("semel-core", file));

        assertThat(StagedRelease.problems(staging, false)).contains("semel-core: there is no semel-core-0.1.0" + file);
    }

    @ParameterizedTest
    @ValueSource(strings = {"md5", "sha1", "sha256", "sha512"})
    void missesAChecksum(String algorithm) throws IOException {
        Files.delete(file("semel-core", "-javadoc.jar." + algorithm));

        assertThat(StagedRelease.problems(staging, false)).hasSize(1);
    }

    @Test
    void aFileThatWasChangedAfterwardsIsSeen() throws IOException {
        Files.writeString(file("semel-bom", ".pom"), bom("semel-core") + "\n");

        assertThat(StagedRelease.problems(staging, false))
                .hasSize(4)
                .allMatch(problem -> problem.contains("is missing or wrong"));
    }

    @Test
    void theBomListsWhatIsPublished() throws IOException {
        write("semel-bom", ".pom", bom("semel-other").getBytes(StandardCharsets.UTF_8));

        assertThat(StagedRelease.problems(staging, false))
                .containsExactly(
                        "semel-bom: lists semel-other, which is not published", "semel-bom: does not list semel-core");
    }

    @Test
    void whatAModuleNeedsIsPublished() throws IOException {
        write("semel-core", ".pom", pom("semel-core", "semel-secret").getBytes(StandardCharsets.UTF_8));

        assertThat(StagedRelease.problems(staging, false))
                .containsExactly("semel-core: needs semel-secret, which is not published");
    }

    @Test
    void anUnsignedReleaseIsNotSigned() {
        assertThat(StagedRelease.problems(staging, true)).contains("semel-core: semel-core-0.1.0.jar: not signed");
    }

    /** Maven writes no checksums of signatures, and Maven Central asks for none. */
    @Test
    void signaturesNeedNoChecksums() throws IOException {
        for (String artifact : new String[] {"semel-parent", "semel-bom", "semel-core", "semel-gateway"}) {
            for (String kind : new String[] {".pom", ".jar", "-sources.jar", "-javadoc.jar", "-all.jar"}) {
                if (Files.exists(file(artifact, kind))) {
                    Files.writeString(file(artifact, kind + ".asc"), "a signature");
                }
            }
        }

        assertThat(StagedRelease.problems(staging, true)).isEmpty();
    }

    @Test
    void anEmptyDirectoryIsNoRelease(@TempDir Path empty) {
        assertThat(StagedRelease.problems(empty, false)).hasSize(1);
    }

    private void writeModules() throws IOException {
        write("semel-core", ".pom", pom("semel-core", "").getBytes(StandardCharsets.UTF_8));
        write("semel-gateway", ".pom", pom("semel-gateway", "semel-core").getBytes(StandardCharsets.UTF_8));
        for (String name : new String[] {"semel-core", "semel-gateway"}) {
            jar(name, "-sources.jar", Map.of("dev/semel/A.java", ""));
            jar(name, "-javadoc.jar", Map.of("index.html", ""));
        }
        jar("semel-core", ".jar", core);
        jar("semel-gateway", ".jar", gateway);
        jar("semel-gateway", "-all.jar", program);
    }

    private static Map<String, String> module(String name) {
        Map<String, String> entries = new LinkedHashMap<>();
        entries.put("META-INF/MANIFEST.MF", "\nAutomatic-Module-Name: dev.semel\r\nImplementation-Version: 0.1.0\r\n");
        entries.put("META-INF/LICENSE", "");
        entries.put("META-INF/NOTICE", "");
        entries.put("META-INF/sbom/" + name + ".cdx.json", "\"CycloneDX\" pkg:maven/dev.semel/" + name + "@0.1.0");
        return entries;
    }

    private static String pom(String name, String needed) {
        return "<project><parent><artifactId>semel-parent</artifactId></parent><artifactId>" + name
                + "</artifactId><name>N</name><description>D</description><dependencies>"
                + (needed.isEmpty() ? "" : dependency(needed)) + "</dependencies></project>";
    }

    private static String bom(String listed) {
        return PARENT.replace("semel-parent", "semel-bom")
                .replace(
                        "</project>",
                        "<dependencyManagement><dependencies>" + dependency(listed)
                                + "</dependencies></dependencyManagement></project>");
    }

    private static String dependency(String name) {
        return "<dependency><groupId>dev.semel</groupId><artifactId>" + name + "</artifactId></dependency>";
    }

    private void jar(String name, String suffix, Map<String, String> entries) throws IOException {
        Path jar = file(name, suffix);
        Files.createDirectories(jar.getParent());
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        write(name, suffix, Files.readAllBytes(jar));
    }

    private void write(String name, String suffix, byte[] content) throws IOException {
        Path file = file(name, suffix);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
        Map<String, String> checksums = Map.of("md5", "MD5", "sha1", "SHA-1", "sha256", "SHA-256", "sha512", "SHA-512");
        for (Map.Entry<String, String> checksum : checksums.entrySet()) {
            Files.writeString(file(name, suffix + "." + checksum.getKey()), digest(content, checksum.getValue()));
        }
    }

    private static String digest(byte[] content, String algorithm) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private Path file(String name, String suffix) {
        return staging.resolve("dev/semel").resolve(name).resolve("0.1.0").resolve(name + "-0.1.0" + suffix);
    }
}
