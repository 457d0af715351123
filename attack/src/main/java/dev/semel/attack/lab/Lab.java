package dev.semel.attack.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The gateways that are attacked, with the one service behind them. Those of its own are started when they are needed. */
public final class Lab implements AutoCloseable {

    private final CountingUpstream upstream;
    private final Path directory;
    private final Tokens tokens;
    private final @Nullable Target named;
    private final Map<Profile, Running> running = new EnumMap<>(Profile.class);
    private @Nullable Certificate certificate;
    private int started;

    private record Running(GatewayProcess process, Target target, Path directory) {}

    private Lab(CountingUpstream upstream, @Nullable Target named) throws IOException {
        this.upstream = upstream;
        this.named = named;
        this.directory = Files.createTempDirectory("semel-attack");
        this.tokens = new Tokens(directory);
    }

    /** With gateways of its own. */
    public static Lab own() throws IOException {
        return new Lab(new CountingUpstream(0), null);
    }

    /** With a gateway that already runs, in front of the service on this port. */
    public static Lab of(Target target, CountingUpstream upstream) throws IOException {
        return new Lab(upstream, target);
    }

    public CountingUpstream upstream() {
        return upstream;
    }

    public Tokens tokens() {
        return tokens;
    }

    public boolean isOwn() {
        return named == null;
    }

    /** Whether there is a gateway of this profile, or can be. */
    public boolean offers(Profile profile) {
        return named == null || profile == Profile.PLAIN || (profile == Profile.TLS && named.tls());
    }

    public boolean offersAdmin() {
        return named == null || named.adminPort() != 0;
    }

    /** The gateway of this profile. */
    public Target target(Profile profile) throws IOException, InterruptedException {
        if (named != null) {
            return named;
        }
        Running known = running.get(profile);
        if (known == null || !known.process.isAlive()) {
            known = start(profile);
            running.put(profile, known);
        }
        return known.target;
    }

    private Running start(Profile profile) throws IOException, InterruptedException {
        Path own = freshDirectory(profile.name());
        Path file = Files.writeString(own.resolve("gateway.yaml"), Profile.FILE.formatted(upstream.port()));
        List<String> options = new ArrayList<>(List.of("--config", file.toString()));
        options.addAll(profile.options(certificate(), tokens));
        GatewayProcess process = GatewayProcess.start(own, options);
        try {
            return new Running(process, process.awaitReady(Profile.ADMIN_TOKEN), own);
        } catch (IOException e) {
            process.close();
            throw e;
        }
    }

    private Path freshDirectory(String name) throws IOException {
        started++;
        return Files.createDirectories(directory.resolve(name.toLowerCase(java.util.Locale.ROOT) + "-" + started));
    }

    /** The working directory of a gateway of its own. */
    public Path directory(Profile profile) throws IOException, InterruptedException {
        target(profile);
        Running known = running.get(profile);
        if (known == null) {
            throw new IOException("the files of a gateway that was started elsewhere are not known");
        }
        return known.directory;
    }

    /** Starts a gateway that is expected to refuse its options. */
    public GatewayProcess tryToStart(String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of("--upstream", "http://127.0.0.1:" + upstream.port()));
        all.addAll(List.of(options));
        return GatewayProcess.start(freshDirectory("refused"), all);
    }

    /** Whether the gateway of this profile has survived what was done to it. */
    public boolean isAlive(Profile profile) {
        Running known = running.get(profile);
        return known == null || known.process.isAlive();
    }

    private Certificate certificate() throws IOException, InterruptedException {
        if (certificate == null) {
            try {
                certificate = Certificate.in(directory);
            } catch (GeneralSecurityException e) {
                throw new IOException(e);
            }
        }
        return certificate;
    }

    @Override
    public void close() throws IOException {
        running.values().forEach(each -> each.process.close());
        upstream.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
