package dev.semel.testservers;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Commands that Debian packages bring, also those that are not for everybody. */
final class InstalledCommand {

    private InstalledCommand() {}

    static Optional<Path> find(String name) {
        return Stream.concat(
                        Arrays.stream(System.getenv("PATH").split(File.pathSeparator)),
                        Stream.of("/usr/sbin", "/sbin", "/usr/local/sbin"))
                .map(place -> Path.of(place, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** For servers that refuse to run as root: without the rights of root, but with its files. */
    static List<String> withoutRoot(List<String> command) {
        return "root".equals(System.getProperty("user.name"))
                ? Stream.concat(Stream.of("unshare", "-U"), command.stream()).toList()
                : command;
    }
}
