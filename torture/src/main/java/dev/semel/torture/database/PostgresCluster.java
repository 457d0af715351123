package dev.semel.torture.database;

import dev.semel.testservers.PgBouncer;
import dev.semel.testservers.TempDirectory;
import dev.semel.torture.wire.WireProtocol;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL primary and, where failovers are wanted, a synchronous standby. */
public final class PostgresCluster implements SqlDatabase, RestorableDatabase {

    private final Path directory;
    private int servers;
    private volatile Postgres primary;
    private @Nullable Postgres standby;
    private @Nullable PgBouncer pooler;
    private boolean replicated;

    private PostgresCluster(Path directory) {
        this.directory = directory;
        this.primary = new Postgres(nextData(), Map.of());
    }

    public static PostgresCluster start(Path directory, boolean withStandby) throws Exception {
        PostgresCluster cluster = new PostgresCluster(directory);
        cluster.primary.start();
        cluster.primary.execute(SqlTables.CREATE_EFFECTS);
        cluster.replicated = withStandby;
        if (withStandby) {
            cluster.addStandby();
        }
        return cluster;
    }

    /** The same behind a pooler that gives each transaction another session. It has no standby. */
    public static PostgresCluster startBehindPooler(Path directory) throws Exception {
        if (!PgBouncer.isInstalled()) {
            throw new IOException(PgBouncer.MISSING);
        }
        PostgresCluster cluster = start(directory, false);
        cluster.pooler = PgBouncer.start(cluster.primary.port());
        return cluster;
    }

    private Path nextData() {
        return directory.resolve("postgres-" + ++servers);
    }

    public Postgres primary() {
        return primary;
    }

    @Override
    public DataSource direct() {
        return primary.dataSource();
    }

    @Override
    public List<Integer> ports() {
        return List.of(pooler == null ? primary.port() : pooler.port());
    }

    @Override
    public WireProtocol protocol() {
        return WireProtocol.POSTGRES;
    }

    @Override
    public String url(List<Integer> ports) {
        // The pooler does not know prepared statements: one of another session would be run instead.
        return PostgresUrls.url(ports.get(0)) + (pooler == null ? "" : "&prepareThreshold=0");
    }

    @Override
    public String restart(Random random) throws Exception {
        primary.kill();
        heal();
        return "of the primary";
    }

    @Override
    public List<ProcessHandle> processes() throws IOException {
        return primary.processes();
    }

    /** Starts the primary if it is down, and waits until it takes writes again. */
    @Override
    public void heal() throws Exception {
        if (!primary.isUp()) {
            primary.kill();
            primary.start();
        }
        awaitStandby();
    }

    @Override
    public List<Path> files() {
        return List.of(primary.data());
    }

    /** A standby would be ahead of what is put back: it is made again from that. */
    @Override
    public void shutDown() throws Exception {
        Postgres follower = standby;
        if (follower != null) {
            dropStandby(follower);
        }
        primary.kill();
    }

    @Override
    public void startUp() throws Exception {
        primary.start();
        if (replicated) {
            addStandby();
        }
    }

    /** Promotes the standby. The old primary goes on, but no standby confirms its commits any more. */
    public Postgres promote() throws SQLException {
        Postgres promoted = standby;
        if (promoted == null) {
            throw new IllegalStateException("there is no standby to promote");
        }
        promoted.text("SELECT pg_promote()");
        Postgres old = primary;
        primary = promoted;
        standby = null;
        return old;
    }

    /** Makes a copy of the primary that follows it, and lets commits wait for it from now on. */
    public void addStandby() throws Exception {
        Postgres copy = new Postgres(
                nextData(), Map.of("primary_conninfo", "'host=127.0.0.1 port=" + primary.port() + " user=postgres'"));
        try (Connection connection = primary.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_backup_start('torture', true)");
            copy(primary.data(), copy.data());
            try (ResultSet label = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
                label.next();
                Files.writeString(copy.data().resolve("backup_label"), label.getString(1));
            }
        }
        Files.createFile(copy.data().resolve("standby.signal"));
        copy.start();
        standby = copy;
        primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()");
        if (!follows()) {
            throw new IOException("a new standby does not follow");
        }
    }

    /** Waits until the standby follows; one that does not is replaced, as an operator would. */
    private void awaitStandby() throws Exception {
        Postgres follower = standby;
        if (follower == null || follows()) {
            return;
        }
        dropStandby(follower);
        addStandby();
    }

    private void dropStandby(Postgres follower) throws Exception {
        primary.execute("ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()");
        standby = null;
        follower.kill();
        TempDirectory.delete(follower.data());
    }

    private boolean follows() throws SQLException, InterruptedException {
        for (int i = 0; i < 300; i++) {
            if (primary.text("SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'")
                    .equals("sync")) {
                return true;
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        return false;
    }

    /** Everything but the log, which the copy gets from the primary, and what belongs to the running process. */
    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path source, BasicFileAttributes attributes) throws IOException {
                Path target = to.resolve(from.relativize(source));
                Files.createDirectories(target);
                Files.setPosixFilePermissions(target, Files.getPosixFilePermissions(source));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path source, BasicFileAttributes attributes) throws IOException {
                Path relative = from.relativize(source);
                if (!relative.startsWith("pg_wal") && !relative.toString().startsWith("postmaster.")) {
                    try {
                        Files.copy(source, to.resolve(relative));
                    } catch (NoSuchFileException e) {
                        // Removed meanwhile: the log says so too.
                        return FileVisitResult.CONTINUE;
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
    }

    public List<ProcessHandle> standbyProcesses() throws IOException {
        return standby == null ? List.of() : standby.processes();
    }

    public boolean hasStandby() {
        return standby != null;
    }

    @Override
    public void close() throws IOException {
        try {
            if (pooler != null) {
                pooler.close();
            }
            if (standby != null) {
                standby.close();
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            primary.close();
        }
    }
}
