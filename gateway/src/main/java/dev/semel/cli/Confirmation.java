package dev.semel.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.Charset;

/** Asks whoever has called a command that changes something. */
final class Confirmation {

    private Confirmation() {}

    static boolean given(PrintWriter out, String question) throws IOException {
        out.print(question + " [y/N] ");
        out.flush();
        String answer = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
        return answer != null && (answer.equalsIgnoreCase("y") || answer.equalsIgnoreCase("yes"));
    }
}
