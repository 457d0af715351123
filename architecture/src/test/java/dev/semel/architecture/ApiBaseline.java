package dev.semel.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The stored API that every build is compared with, and the breaks that are allowed: {@code docs/decisions/0023}. */
final class ApiBaseline {

    static final String RENEW = "./mvnw test -pl architecture -am -Dtest='Api*Test' -Dapi.renew"
            + " -Dsurefire.failIfNoSpecifiedTests=false";

    private static final Path STORED = SourceModule.ROOT.resolve("config/api/baseline.jar");
    private static final Path ALLOWED = SourceModule.ROOT.resolve("config/api-breaks.txt");

    private ApiBaseline() {}

    static boolean isRenewing() {
        return System.getProperty("api.renew") != null;
    }

    /**
     * Whether the baseline has to be the API of this very code: until the first release, and in each release, which is what
     * the builds after it are compared with.
     */
    static boolean isOf(String version) {
        return version.equals("0.1.0-SNAPSHOT") || !version.endsWith("-SNAPSHOT");
    }

    static byte[] stored() {
        try {
            return Files.readAllBytes(STORED);
        } catch (IOException e) {
            throw new UncheckedIOException("there is no baseline; make one with: " + RENEW, e);
        }
    }

    static void store(byte[] archive) {
        try {
            Files.write(STORED, archive);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The breaks since the last release that are meant, each with its reason. */
    static Map<String, String> allowed() {
        return allowed(SourceModule.read(ALLOWED).lines().toList());
    }

    static Map<String, String> allowed(List<String> lines) {
        Map<String, String> allowed = new TreeMap<>();
        for (String line : lines) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            int reason = line.indexOf(" # ");
            if (reason < 0) {
                throw new IllegalArgumentException("no reason, after \" # \", for the break: " + line);
            }
            allowed.put(
                    line.substring(0, reason).strip(),
                    line.substring(reason + 3).strip());
        }
        return allowed;
    }
}
