package dev.semel.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * The source of what runs inside Redis, as one library of functions and as single scripts.
 *
 * <p>The names of the functions contain a digest of the source, so that two releases of Semel can run side by side.
 */
final class Library {

    private static final Library INSTANCE = new Library();

    private final String source;
    private final Map<Call, String> functions = new EnumMap<>(Call.class);
    private final Map<Call, byte[]> scripts = new EnumMap<>(Call.class);
    private final Map<Call, String> scriptDigests = new EnumMap<>(Call.class);

    private Library() {
        String common = read("common");
        StringBuilder all = new StringBuilder(common);
        for (Call call : Call.values()) {
            StringBuilder body = new StringBuilder();
            call.uses().forEach(name -> body.append(read(name)).append('\n'));
            body.append(read(call.lua()));
            all.append('\n').append(body);
            byte[] script = (common + '\n' + body + "\nreturn " + call.lua() + "(KEYS, ARGV)\n")
                    .getBytes(StandardCharsets.UTF_8);
            scripts.put(call, script);
            scriptDigests.put(call, sha1(script));
        }
        String version = sha1(all.toString().getBytes(StandardCharsets.UTF_8)).substring(0, 8);
        StringBuilder library =
                new StringBuilder("#!lua name=semel_").append(version).append('\n');
        library.append(all).append('\n');
        for (Call call : Call.values()) {
            String name = "semel_" + call.lua() + "_" + version;
            functions.put(call, name);
            library.append("redis.register_function('" + name + "', " + call.lua() + ")\n");
        }
        this.source = library.toString();
    }

    static Library instance() {
        return INSTANCE;
    }

    /** The whole library, for FUNCTION LOAD. */
    String source() {
        return source;
    }

    String function(Call call) {
        return get(functions, call);
    }

    byte[] script(Call call) {
        return get(scripts, call);
    }

    String scriptDigest(Call call) {
        return get(scriptDigests, call);
    }

    private static <T> T get(Map<Call, T> map, Call call) {
        T value = map.get(call);
        if (value == null) {
            throw new IllegalStateException("nothing is known of " + call);
        }
        return value;
    }

    private static String read(String name) {
        try (InputStream in = Library.class.getResourceAsStream(name + ".lua")) {
            if (in == null) {
                throw new IllegalStateException("the resource " + name + ".lua is missing from the jar of semel-redis");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resource " + name + ".lua", e);
        }
    }

    /** SHA-1 because that is how Redis names scripts. */
    private static String sha1(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-1", e);
        }
    }
}
