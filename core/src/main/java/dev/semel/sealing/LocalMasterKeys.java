package dev.semel.sealing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** Master keys that the application holds itself, each with a name. The first key wraps; all of them unwrap. */
public final class LocalMasterKeys implements MasterKeys {

    private static final int KEY_BYTES = 32;
    private static final int MAX_NAME = 100;

    private final Map<String, SecretKey> keys = new LinkedHashMap<>();
    private final String current;

    private LocalMasterKeys(Map<String, byte[]> named) {
        if (named.isEmpty()) {
            throw new IllegalArgumentException("no master key was given; give at least one, the current one first");
        }
        named.forEach((name, key) -> keys.put(requireName(name), requireKey(name, key)));
        current = named.keySet().iterator().next();
    }

    /** Keys of 32 bytes by their names, in the order of the map: the first one is the current one. */
    public static LocalMasterKeys of(Map<String, byte[]> named) {
        return new LocalMasterKeys(named);
    }

    /** Reads a {@link KeyFile}. */
    public static LocalMasterKeys read(Path file) throws IOException {
        return new LocalMasterKeys(KeyFile.read(file));
    }

    private static String requireName(String name) {
        if (name.isEmpty() || name.length() > MAX_NAME || !name.matches("[\\x21-\\x7e]+")) {
            throw new IllegalArgumentException("the name of a master key must be 1 to " + MAX_NAME
                    + " visible ASCII characters, got \"" + name + "\"");
        }
        return name;
    }

    private static SecretKey requireKey(String name, byte[] key) {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException("master key \"" + name + "\" must have " + KEY_BYTES + " bytes, it has "
                    + key.length + "; make one with: openssl rand -base64 " + KEY_BYTES);
        }
        return new SecretKeySpec(key, "AES");
    }

    @Override
    public byte[] wrap(byte[] dataKey) {
        byte[] name = current.getBytes(StandardCharsets.US_ASCII);
        byte[] nonce = AesGcm.randomNonce();
        byte[] wrapped = AesGcm.encrypt(key(current), nonce, name, dataKey);
        return ByteBuffer.allocate(1 + name.length + nonce.length + wrapped.length)
                .put((byte) name.length)
                .put(name)
                .put(nonce)
                .put(wrapped)
                .array();
    }

    @Override
    public byte[] unwrap(byte[] wrapped) {
        ByteBuffer in = ByteBuffer.wrap(wrapped);
        byte[] name = AesGcm.take(in, AesGcm.take(in, 1)[0]);
        byte[] nonce = AesGcm.take(in, AesGcm.NONCE_BYTES);
        return AesGcm.decrypt(
                key(new String(name, StandardCharsets.US_ASCII)), nonce, name, AesGcm.take(in, in.remaining()));
    }

    private SecretKey key(String name) {
        SecretKey key = keys.get(name);
        if (key == null) {
            throw new IllegalArgumentException("master key \"" + name + "\" is not among those given, "
                    + new ArrayList<>(keys.keySet()) + "; add it again, behind the current one");
        }
        return key;
    }
}
