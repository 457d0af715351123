package dev.semel.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Runs commands of {@code semel} for tests of other packages. */
public final class CommandLines {

    private CommandLines() {}

    /** What the command prints; it must succeed. */
    public static String run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = SemelCommand.commandLine();
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int code = command.execute(arguments);
        if (code != 0) {
            throw new AssertionError("exit code " + code + ": " + err);
        }
        return out.toString();
    }
}
