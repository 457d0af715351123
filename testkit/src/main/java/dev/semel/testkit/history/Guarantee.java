package dev.semel.testkit.history;

/** The guarantees of Semel. */
public enum Guarantee {
    G1("one owner: of any number of concurrent claims of a key, exactly one gets the lease"),
    G2("stable replay: once a key is settled, every retry gets the same outcome"),
    G3("no zombies: an attempt that lost its lease can no longer write"),
    G4("durable first: nothing is replayed that did not durably happen"),
    G5("no silent second run: after an owner died, its operation runs again only if its policy says so"),
    G6("no leaks: no scope learns of another's keys"),
    G7("nothing lost: no key is forgotten before its time"),
    G8("safe to repeat: a call whose answer was lost finds itself"),
    G9("only its own failures: a failure around an operation never becomes its outcome"),
    G10(
            "keys do not harm each other: a key that is held, stalled or lost costs no other key and no other caller anything"),
    G11("identity survives a deploy: a true retry stays one, whatever is renamed or reconfigured");

    private final String meaning;

    Guarantee(String meaning) {
        this.meaning = meaning;
    }

    public String meaning() {
        return meaning;
    }
}
