package dev.semel.bench.measure;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that measures something, prints what it found, and can write the numbers to a file. */
public abstract class BenchCommand implements Callable<Integer> {

    @Option(
            names = "--json",
            paramLabel = "FILE",
            order = 1,
            description = "where to write the numbers, as one flat JSON object")
    private @Nullable Path json;

    protected abstract Report measure() throws Exception;

    @Override
    public final Integer call() throws Exception {
        Report report = measure();
        report.print(System.out);
        draw(report);
        if (json != null) {
            report.writeJson(json);
            System.out.println("numbers: " + json);
        }
        return 0;
    }

    /** Draws the chart of a benchmark that has one. */
    protected void draw(Report report) throws Exception {}
}
