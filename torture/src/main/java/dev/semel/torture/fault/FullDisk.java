package dev.semel.torture.fault;

import dev.semel.torture.process.Processes;
import dev.semel.torture.server.Node;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** No room for an SQLite file: the nodes write it themselves, so that the disk is full for them. */
public record FullDisk(List<Node> nodes) implements InjectedFault {

    @Override
    public String inject(Random random) throws Exception {
        limit("65536");
        TimeUnit.MILLISECONDS.sleep(1_000 + random.nextInt(2_000));
        limit("unlimited");
        // It is the only fault of its lane: without a rest the disk would be full most of the time.
        TimeUnit.MILLISECONDS.sleep(5_000);
        return "no room for the file";
    }

    private void limit(String size) throws Exception {
        for (Node node : nodes) {
            Processes.limitFileSize(node.current().pid(), size);
        }
    }
}
