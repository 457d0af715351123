package dev.semel.torture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Sums what nights have left in a directory. */
@Command(
        name = "tally",
        description = "Prints what the pieces of a night did together, as tables in Markdown, and which did not hold.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
final class TallyCommand implements Callable<Integer> {

    @Parameters(paramLabel = "DIRECTORY", description = "Where the results are.")
    private Path directory = Path.of("");

    @Override
    public Integer call() throws IOException {
        NightTally tally = NightTally.of(directory);
        System.out.print(tally.markdown());
        return tally.allHeld() ? 0 : 1;
    }
}
