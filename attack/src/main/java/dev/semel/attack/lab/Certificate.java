package dev.semel.attack.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A new certificate for this machine.
 *
 * @param certificate the path of its file
 * @param key the path of its private key's file
 */
record Certificate(String certificate, String key) {

    private static final char[] PASSWORD = "changeit".toCharArray();

    static Certificate in(Path directory) throws IOException, GeneralSecurityException, InterruptedException {
        Path file = directory.resolve("server.p12");
        Path log = directory.resolve("keytool.log");
        String command = Path.of(System.getProperty("java.home"), "bin", "keytool") + " -genkeypair -keystore " + file
                + " -storetype PKCS12 -storepass " + new String(PASSWORD) + " -alias server -keyalg EC"
                + " -dname CN=localhost -ext san=dns:localhost,ip:127.0.0.1";
        Process keytool = new ProcessBuilder(command.split(" "))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool could not make a certificate: " + Files.readString(log));
        }
        KeyStore keys = KeyStore.getInstance(file.toFile(), PASSWORD);
        return new Certificate(
                Pem.write(
                        directory, "CERTIFICATE", keys.getCertificate("server").getEncoded()),
                Pem.write(
                        directory,
                        "PRIVATE KEY",
                        keys.getKey("server", PASSWORD).getEncoded()));
    }

    /** Files that begin and end with dashes. */
    static final class Pem {

        private Pem() {}

        static String write(Path directory, String type, byte[] der) throws IOException {
            String text = "-----BEGIN " + type + "-----\n"
                    + Base64.getMimeEncoder().encodeToString(der) + "\n-----END " + type + "-----\n";
            Path file = directory.resolve(type.replace(' ', '-') + ".pem");
            if (!Files.exists(file)) {
                Files.createFile(
                        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
            return Files.writeString(file, text).toString();
        }
    }
}
