package dev.semel.gateway;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate for this machine, made anew.
 *
 * @param certificate the path of its file
 * @param key the path of its private key's file
 */
public record TestCertificate(KeyStore keyStore, String certificate, String key) {

    private static final char[] PASSWORD = "changeit".toCharArray();

    public static TestCertificate in(Path directory)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path file = directory.resolve("server.p12");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                file.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1");
        if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
            throw new IOException("keytool failed");
        }
        KeyStore keyStore = KeyStore.getInstance(file.toFile(), PASSWORD);
        return new TestCertificate(
                keyStore,
                pem(directory, "CERTIFICATE", keyStore.getCertificate("server").getEncoded()),
                pem(
                        directory,
                        "PRIVATE KEY",
                        keyStore.getKey("server", PASSWORD).getEncoded()));
    }

    private static String pem(Path directory, String type, byte[] der) throws IOException {
        String text = "-----BEGIN " + type + "-----\n" + Base64.getMimeEncoder().encodeToString(der) + "\n-----END "
                + type + "-----\n";
        return Secrets.write(directory.resolve(type.replace(' ', '-') + ".pem"), text)
                .toString();
    }

    /** Trusts this certificate alone. */
    public SSLContext trust() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keyStore.getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
