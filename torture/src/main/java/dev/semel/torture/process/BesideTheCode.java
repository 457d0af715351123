package dev.semel.torture.process;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;

/** Where the build unpacks what is too large for the jar, or cannot be in it. */
public final class BesideTheCode {

    private BesideTheCode() {}

    public static Path path(String name) throws IOException {
        try {
            Path code = Path.of(BesideTheCode.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return code.resolveSibling(name).toAbsolutePath();
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }
}
