package dev.semel.torture.fault;

import java.util.Random;

/** Something that goes wrong, from its beginning to the moment at which everything is as before. */
public interface InjectedFault {

    /** Does the damage, waits, and undoes it; says which variant it was. */
    String inject(Random random) throws Exception;
}
