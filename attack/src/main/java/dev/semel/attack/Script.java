package dev.semel.attack;

import dev.semel.attack.lab.Lab;
import java.io.IOException;

/** How an attack is carried out and judged. */
@FunctionalInterface
interface Script {

    Verdict run(Lab lab, Effort effort) throws IOException, InterruptedException;
}
