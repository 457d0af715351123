package dev.semel.gateway;

import dev.semel.gateway.config.ConfigException;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.spi.KeyStore;

/** Opens the store that a URL names. */
public final class StoreUrls {

    private StoreUrls() {}

    public static KeyStore open(String url) {
        if (url.equals("memory:")) {
            return InMemoryKeyStore.create();
        }
        throw new ConfigException("store: expected memory:, sqlite:PATH or jdbc:postgresql://HOST/DATABASE, got \""
                + redacted(url) + "\"");
    }

    /** The URL without user name, password or parameters, for people and logs. */
    public static String redacted(String url) {
        int query = url.indexOf('?');
        return (query < 0 ? url : url.substring(0, query)).replaceAll("//[^/@]*@", "//");
    }
}
