package dev.semel.dynamodb;

/** The names of a table's attributes. */
final class Attributes {

    /** The partition key: the digest of the key. */
    static final String KEY = "key";
    /** The sort key: {@link #HEAD} for the record itself, another name for each piece of a large outcome. */
    static final String PART = "part";

    static final String HEAD = "head";
    static final String CHUNK = "chunk";

    /** On keys that are not settled only, for the index of those: the first digit of the digest. */
    static final String OPEN = "open";
    /** When DynamoDB may remove the item, in seconds: beyond its whole retention, never on a key that is not settled. */
    static final String GONE_AFTER = "goneAfter";
    /** Grows with every write, so that a change can be made conditional on what was read. */
    static final String REVISION = "revision";

    static final String STATE = "state";
    static final String NONCE = "nonce";
    static final String TOKEN = "token";
    static final String ATTEMPT = "attempt";
    static final String FINGERPRINT = "fingerprint";
    static final String CLAIMED = "claimed";
    static final String UNTIL = "until";
    static final String NAMESPACE = "namespace";
    static final String SCOPE = "scope";
    static final String VALUE = "value";
    static final String OPERATION = "operation";
    static final String TRACE = "trace";
    /** How long the key is kept once it is settled; absent for the default. */
    static final String RETENTION = "retention";

    static final String STEPS = "steps";
    static final String STEP_BYTES = "stepBytes";
    static final String HISTORY = "history";
    static final String SETTLED = "settled";
    static final String EXPIRES = "expires";
    static final String FREE = "free";
    static final String OUTCOME = "outcome";
    static final String CHUNK_ID = "chunkId";
    static final String CHUNKS = "chunks";

    private Attributes() {}
}
