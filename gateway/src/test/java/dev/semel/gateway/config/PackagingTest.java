package dev.semel.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What is in {@code packaging/} fits the gateway that it packages, and itself. */
class PackagingTest {

    private static final Path PACKAGING = Path.of("..", "packaging");
    private static final Pattern OPTION = Pattern.compile("(?<=[\\s\"'])--([a-z][a-z0-9-]*)");

    private static final Set<String> OF_OTHERS = Set.of(
            "smoke",
            "no-transfer-progress",
            "system",
            "uid",
            "home-dir",
            "create-home",
            "from",
            "now",
            "port",
            "read-only",
            "tmpfs",
            "cap-drop",
            "from-literal",
            "from-file",
            "interval",
            "start-period",
            "retries");

    @Test
    void shipsAConfigurationThatTheGatewayTakes() {
        Settings settings = new Settings().putOption(Setting.ADMIN_TOKEN, "from the environment");

        GatewayConfig config = GatewayConfig.of(settings, YamlFile.read(PACKAGING.resolve("gateway.yaml"), settings));

        assertThat(config.routes()).extracting(Route::operation).containsExactly("/search/**", "payments", "default");
        assertThat(config.scope()).isInstanceOfSatisfying(ScopeRule.FromHeader.class, rule -> {
            assertThat(rule.name()).isEqualTo("X-User");
            assertThat(rule.proxies().trustsEverybody()).isFalse();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"Dockerfile", "compose.yaml", "semel.service", "kubernetes/semel.yaml"})
    void usesOnlyOptionsThatThereAre(String file) throws IOException {
        Set<String> known = Arrays.stream(Setting.values()).map(Setting::key).collect(Collectors.toSet());
        known.add("config");
        known.add("help");
        known.addAll(OF_OTHERS);

        assertThat(OPTION.matcher(read(file)).results().map(option -> option.group(1)))
                .isNotEmpty()
                .isSubsetOf(known);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Dockerfile", "compose.yaml", "semel.service", "kubernetes/semel.yaml"})
    void takesTheEnvironmentThatTheGatewayReads(String file) throws IOException {
        String help = Arrays.stream(Setting.values()).map(Setting::help).collect(Collectors.joining());

        assertThat(Pattern.compile("SEMEL_[A-Z_]+")
                        .matcher(read(file))
                        .results()
                        .map(MatchResult::group))
                .allMatch(help::contains);
    }

    @Test
    void theImageRunsTheJarThatTheBuildMakesWithoutBeingRoot() throws IOException {
        String dockerfile = read("Dockerfile");
        String pom = Files.readString(Path.of("pom.xml"));

        assertThat(pom).contains("<outputFile>${project.build.directory}/semel.jar</outputFile>");
        assertThat(dockerfile)
                .contains("COPY --from=build /src/gateway/target/semel.jar /opt/semel/semel.jar")
                .contains("\"-jar\", \"/opt/semel/semel.jar\"]")
                .containsPattern("(?m)^USER 10001$");
        // The exec form, so that the gateway gets the signals itself; and the last stage is not the one that builds.
        assertThat(dockerfile.lines().filter(line -> line.startsWith("ENTRYPOINT ")))
                .singleElement()
                .asString()
                .startsWith("ENTRYPOINT [\"java\"");
        assertThat(dockerfile.lines().filter(line -> line.startsWith("FROM ")))
                .hasSize(2)
                .last()
                .asString()
                .contains("-jre");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Dockerfile", "compose.yaml", "kubernetes/semel.yaml"})
    void namesTheExactVersionOfEveryImage(String file) throws IOException {
        Pattern image = Pattern.compile("(?m)^(?:FROM|\\s+image:) (\\S+)");
        Pattern exact = Pattern.compile(".+:v?[0-9]+\\.[0-9][0-9._a-z-]*(@sha256:[0-9a-f]{64})?");

        assertThat(image.matcher(read(file)).results().map(found -> found.group(1)))
                .isNotEmpty()
                .allMatch(name -> exact.matcher(name).matches());
    }

    /** Probes ask the admin address, which must answer without a token, and nothing is killed before it has drained. */
    @Test
    @SuppressWarnings("unchecked")
    void theDeploymentProbesWhatTheGatewayServesAndWaitsForItsDrain() throws IOException {
        Map<String, Map<String, Object>> objects = new HashMap<>();
        new Load(LoadSettings.builder().build())
                .loadAllFromString(read("kubernetes/semel.yaml"))
                .forEach(each -> {
                    Map<String, Object> object = (Map<String, Object>) each;
                    objects.put((String) object.get("kind"), object);
                });
        assertThat(objects).containsOnlyKeys("Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy");
        Map<String, Object> pod = (Map<String, Object>) ((Map<String, Object>)
                        ((Map<String, Object>) objects.get("Deployment").get("spec")).get("template"))
                .get("spec");
        Map<String, Object> container = ((List<Map<String, Object>>) pod.get("containers")).get(0);
        assertThat(container.get("livenessProbe").toString()).contains("path=/health", "port=admin");
        assertThat(container.get("readinessProbe").toString()).contains("path=/ready", "port=admin");
        Duration drain = Parse.duration(String.valueOf(Setting.DRAIN.standard()));
        Duration lameDuck = ((List<String>) container.get("args"))
                .stream()
                        .filter(argument -> argument.startsWith("--lame-duck="))
                        .map(argument -> Parse.duration(argument.substring("--lame-duck=".length())))
                        .findFirst()
                        .orElseThrow();
        Map<String, Integer> readiness = (Map<String, Integer>) container.get("readinessProbe");
        int noticed = readiness.get("periodSeconds") * readiness.get("failureThreshold");
        assertThat((int) lameDuck.toSeconds()).isGreaterThan(noticed);
        assertThat((int) pod.get("terminationGracePeriodSeconds"))
                .isGreaterThan((int) drain.plus(lameDuck).toSeconds());
        assertThat(container.get("securityContext").toString())
                .contains("readOnlyRootFilesystem=true", "allowPrivilegeEscalation=false");
    }

    @Test
    void theImageComesWithTheListOfWhatIsInIt() throws IOException {
        assertThat(read("Dockerfile"))
                .contains("COPY --from=build /src/gateway/target/classes/META-INF/sbom/application.cdx.json");
        assertThat(read("Dockerfile")).contains(" -Dsbom ");
        assertThat(Files.readString(Path.of("pom.xml")))
                .contains("<sbom.name>application.cdx</sbom.name>")
                .containsSubsequence("<name>sbom</name>", "<cyclonedx.skip>false</cyclonedx.skip>");
    }

    @Test
    @SuppressWarnings("unchecked")
    void theComposeFileGivesTheServicesNoMoreThanTheyNeed() throws IOException {
        Map<String, Map<String, Map<String, Object>>> compose = (Map<String, Map<String, Map<String, Object>>>)
                new Load(LoadSettings.builder().build()).loadFromString(read("compose.yaml"));

        for (String service : List.of("gateway", "orders")) {
            assertThat(compose.get("services").get(service))
                    .as(service)
                    .containsEntry("read_only", true)
                    .containsEntry("cap_drop", List.of("ALL"))
                    .containsEntry("security_opt", List.of("no-new-privileges:true"));
        }
        assertThat((List<String>) compose.get("services").get("gateway").get("tmpfs"))
                .singleElement()
                .asString()
                .startsWith("/tmp");
    }

    /** Neither results of other builds, nor secrets that lie about in a checkout, get into a layer of the image. */
    @Test
    void leavesOutOfTheImageWhatTheBuildDoesNotNeed() throws IOException {
        assertThat(Files.readAllLines(Path.of("..", ".dockerignore")))
                .contains(".git", "**/target", "**/node_modules", "**/*.db", "**/*.pem", "**/*.key", "**/.env");
    }

    @Test
    @SuppressWarnings("unchecked")
    void theComposeFileHoldsTogether() throws IOException {
        Map<String, Object> compose =
                (Map<String, Object>) new Load(LoadSettings.builder().build()).loadFromString(read("compose.yaml"));
        Map<String, Map<String, Object>> services = (Map<String, Map<String, Object>>) compose.get("services");
        Map<String, Object> gateway = services.get("gateway");

        assertThat(compose).containsOnlyKeys("services", "networks", "volumes");
        assertThat(services)
                .allSatisfy((name, service) -> assertThat(service.keySet())
                        .as(name)
                        .isSubsetOf(
                                "build",
                                "image",
                                "command",
                                "environment",
                                "volumes",
                                "ports",
                                "stop_grace_period",
                                "depends_on",
                                "restart",
                                "healthcheck",
                                "read_only",
                                "tmpfs",
                                "user",
                                "cap_drop",
                                "security_opt"));
        assertThat(((Map<String, Object>) gateway.get("depends_on")).keySet()).isSubsetOf(services.keySet());
        Map<String, String> build = (Map<String, String>) gateway.get("build");
        assertThat(PACKAGING.resolve(build.get("context")).resolve(build.get("dockerfile")))
                .exists();
        List<String> mounts = (List<String>) gateway.get("volumes");
        assertThat(mounts)
                .allSatisfy(mount ->
                        assertThat(PACKAGING.resolve(mount.split(":")[0])).exists());
        assertThat((List<String>) gateway.get("command"))
                .contains("--config=" + mounts.get(0).split(":")[1]);
        Set<String> named = services.values().stream()
                .flatMap(service -> Stream.ofNullable((List<String>) service.get("volumes")))
                .flatMap(List::stream)
                .map(mount -> mount.split(":")[0])
                .filter(source -> !source.contains("/"))
                .collect(Collectors.toSet());
        assertThat(named).isEqualTo(((Map<String, Object>) compose.get("volumes")).keySet());
    }

    /** The gateway's configuration names the services of the compose file, and stays within what it is given. */
    @Test
    @SuppressWarnings("unchecked")
    void theComposeFileFitsTheConfiguration() throws IOException {
        Map<String, Map<String, Map<String, Object>>> compose = (Map<String, Map<String, Map<String, Object>>>)
                new Load(LoadSettings.builder().build()).loadFromString(read("compose.yaml"));
        Map<String, Object> gateway = compose.get("services").get("gateway");
        Settings settings = new Settings().putOption(Setting.ADMIN_TOKEN, "x");
        for (String option : (List<String>) gateway.get("command")) {
            String[] parts = option.replaceFirst("^--", "").split("=", 2);
            Setting.find(parts[0]).ifPresent(setting -> settings.putOption(setting, parts[1]));
        }
        GatewayConfig config = GatewayConfig.of(settings, YamlFile.read(PACKAGING.resolve("gateway.yaml"), settings));

        assertThat(compose.get("services")).containsKey("postgres").containsKey("orders");
        assertThat(config.store()).startsWith("jdbc:postgresql://postgres/");
        assertThat(config.upstream().url()).hasToString("http://orders:9000");
        assertThat((List<String>) gateway.get("ports")).containsExactly("127.0.0.1:8080:8080", "127.0.0.1:8081:8081");
        assertThat(config.listen()).hasToString("0.0.0.0:8080");
        assertThat(config.admin()).hasToString("0.0.0.0:8081");
        Map<String, Object> network = (Map<String, Object>)
                ((Map<String, Object>) (Object) compose.get("networks").get("default")).get("ipam");
        assertThat(config.scope())
                .isInstanceOfSatisfying(
                        ScopeRule.FromHeader.class,
                        rule -> assertThat((List<Map<String, String>>) network.get("config"))
                                .allMatch(range -> rule.proxies().trusts(range.get("gateway"))));
        assertThat(Parse.duration((String) gateway.get("stop_grace_period"))).isGreaterThan(config.drain());
    }

    @Test
    void systemdTakesTheUnit() throws Exception {
        Path analyze = Path.of("/usr/bin/systemd-analyze");
        Assumptions.assumeTrue(Files.isExecutable(analyze), "there is no systemd here");
        Process verify = new ProcessBuilder(
                        analyze.toString(),
                        "verify",
                        PACKAGING
                                .resolve("semel.service")
                                .toAbsolutePath()
                                .normalize()
                                .toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(verify.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(verify.waitFor()).as(output).isZero();
        assertThat(output.lines().filter(line -> line.contains("semel.service")))
                .isEmpty();
    }

    private static String read(String file) throws IOException {
        return Files.readString(PACKAGING.resolve(file));
    }
}
