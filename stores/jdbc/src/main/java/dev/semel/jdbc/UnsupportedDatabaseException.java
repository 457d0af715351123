package dev.semel.jdbc;

import dev.semel.store.StoreException;

/** The database of a {@code DataSource} cannot keep keys. */
public final class UnsupportedDatabaseException extends StoreException {

    private static final long serialVersionUID = 1L;

    private final String product;

    UnsupportedDatabaseException(String product, String supported) {
        super("keys can be kept in one of " + supported + ", not in " + product, null);
        this.product = product;
    }

    /** The name that the database gives itself, such as {@code H2}. */
    public String product() {
        return product;
    }
}
