package dev.semel.gateway.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import dev.semel.gateway.config.ConfigException;
import dev.semel.gateway.files.SecretFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the keys that verify tokens: a JWK set, or public keys and certificates in PEM. */
public final class JwtKeys {

    private static final Pattern PEM =
            Pattern.compile("-----BEGIN (PUBLIC KEY|CERTIFICATE)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");

    private JwtKeys() {}

    public static JWKSet read(Path file) {
        try {
            String text = Files.readString(file);
            JWKSet keys = text.stripLeading().startsWith("{") ? JWKSet.parse(text) : pem(text);
            if (keys.isEmpty()) {
                throw new ConfigException("jwt-key: " + file + " holds no key: expected a JWK set (JSON), or PEM blocks"
                        + " of the type PUBLIC KEY or CERTIFICATE");
            }
            if (keys.getKeys().stream().anyMatch(JWK::isPrivate)) {
                SecretFile.require(file);
            }
            return keys;
        } catch (IllegalArgumentException e) {
            throw new ConfigException("jwt-key: " + e.getMessage(), e);
        } catch (IOException | ParseException | GeneralSecurityException | JOSEException e) {
            throw new ConfigException("jwt-key: cannot read keys from " + file + ": " + e.getMessage(), e);
        }
    }

    private static JWKSet pem(String text) throws GeneralSecurityException, JOSEException {
        List<JWK> keys = new ArrayList<>();
        Matcher matcher = PEM.matcher(text);
        while (matcher.find()) {
            byte[] der = Base64.getMimeDecoder().decode(matcher.group(2));
            keys.add(jwk(matcher.group(1).equals("CERTIFICATE") ? certified(der) : plain(der)));
        }
        return new JWKSet(keys);
    }

    private static PublicKey certified(byte[] der) throws GeneralSecurityException {
        return CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(der))
                .getPublicKey();
    }

    private static PublicKey plain(byte[] der) throws GeneralSecurityException {
        try {
            return KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(der));
        } catch (InvalidKeySpecException notRsa) {
            return KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(der));
        }
    }

    private static JWK jwk(PublicKey key) throws JOSEException, GeneralSecurityException {
        if (key instanceof RSAPublicKey rsa) {
            return new RSAKey.Builder(rsa).build();
        }
        if (key instanceof ECPublicKey ec) {
            return new ECKey.Builder(Curve.forECParameterSpec(ec.getParams()), ec).build();
        }
        throw new GeneralSecurityException(
                "keys of the type " + key.getAlgorithm() + " are not supported, use RSA or EC");
    }
}
