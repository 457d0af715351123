package dev.semel.gateway.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file that holds a secret, such as a private key, which other users of the machine must not read or replace. */
public final class SecretFile {

    private static final Logger log = LoggerFactory.getLogger(SecretFile.class);

    private SecretFile() {}

    /**
     * Gives the path back if other users of the machine can neither read nor write the file. The group may read it: that is
     * how Kubernetes gives a secret to a process that is not root.
     */
    public static Path require(Path file) {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view == null || !Files.exists(file)) {
            // A missing file is reported when it is read, and without POSIX there are no such modes.
            return file;
        }
        try {
            Set<PosixFilePermission> modes = view.readAttributes().permissions();
            String shown = file + " (" + PosixFilePermissions.toString(modes) + ")";
            if (modes.contains(PosixFilePermission.OTHERS_READ) || modes.contains(PosixFilePermission.OTHERS_WRITE)) {
                throw new IllegalArgumentException(
                        "every user of this machine can read or replace " + shown
                                + ", which holds a secret: chmod 600 it (in Kubernetes: defaultMode 0400, or 0440 with fsGroup)");
            }
            if (modes.contains(PosixFilePermission.GROUP_WRITE)) {
                log.warn("the group of {} can replace it, and it holds a secret: chmod g-w it", shown);
            }
            return file;
        } catch (IOException e) {
            throw new IllegalArgumentException("the modes of " + file + " cannot be read: " + e, e);
        }
    }
}
