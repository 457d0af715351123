package dev.semel.torture.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the torture does to processes. */
class ProcessesTest {

    @Test
    void killsAlsoWhatHasOutlivedItsParent(@TempDir Path directory) throws Exception {
        Process parent = new ProcessBuilder(
                        "sh", "-c", "sh -c 'sleep 100; exit' server " + directory + " >/dev/null & echo $!")
                .start();
        long pid = Long.parseLong(parent.inputReader().readLine());
        assertThat(parent.waitFor(10, TimeUnit.SECONDS)).isTrue();
        ProcessHandle orphan = ProcessHandle.of(pid).orElseThrow();
        assertThat(orphan.isAlive()).isTrue();

        Processes.killAll(parent, directory);

        assertThat(orphan.isAlive()).isFalse();
    }
}
