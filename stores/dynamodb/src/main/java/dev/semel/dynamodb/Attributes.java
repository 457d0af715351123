package dev.semel.dynamodb;

/** The names of a table's attributes. */
final class Attributes {

    /** The partition key: the digest of the key. */
    static final String KEY = "key";
    /** The sort key: {@link #HEAD} for the cell itself, another name for each piece of a large outcome. */
    static final String PART = "part";

    static final String HEAD = "head";
    static final String CHUNK = "chunk";

    /** The first digit of the digest. Only unsettled keys have it, because it is for their index. */
    static final String OPEN = "open";
    /** When the key was claimed, by which the index is sorted. */
    static final String CLAIMED = "claimed";
    /** When DynamoDB may remove the item, in seconds: beyond its whole retention, never on a key that is not settled. */
    static final String GONE_AFTER = "goneAfter";

    static final String VERSION = "version";
    static final String TOKEN = "token";
    /** The key as bytes, without the payload of a large outcome; absent if the key was forgotten. */
    static final String DATA = "data";

    static final String CHUNK_ID = "chunkId";
    static final String CHUNKS = "chunks";

    private Attributes() {}
}
