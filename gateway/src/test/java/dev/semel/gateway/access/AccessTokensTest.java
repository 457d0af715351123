package dev.semel.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessTokensTest {

    private static final String ALICE = "the-token-of-alice-1234";
    private static final String PROXY = "the-token-of-the-proxy-1";

    @TempDir
    private Path directory;

    private AccessTokens read(String text) throws IOException {
        Path file = directory.resolve("tokens");
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text);
        return AccessTokens.read(file);
    }

    private static String sha256(String token) {
        return "sha256:" + HexFormat.of().formatHex(AccessToken.digest(token));
    }

    @Test
    void knowsPeopleByTheirTokensAndTheirDigests() throws IOException {
        AccessTokens tokens =
                read("# people\n\nalice  operate  " + sha256(ALICE) + "\nbob read a-plain-token-of-bob-1\n");

        Visitor alice = tokens.visitor(ALICE, "192.0.2.1", null, null);
        Visitor bob = tokens.visitor("a-plain-token-of-bob-1", "192.0.2.2", "mallory", "erase");

        assertThat(alice.person().name()).isEqualTo("alice");
        assertThat(alice.person().address()).isEqualTo("192.0.2.1");
        assertThat(alice.roles()).isEqualTo(Set.of(Role.OPERATE, Role.READ, Role.METRICS));
        assertThat(bob.person().name()).as("only a proxy names others").isEqualTo("bob");
        assertThat(bob.roles()).isEqualTo(Set.of(Role.READ, Role.METRICS));
        assertThat(tokens.visitor("another-token-of-nobody", "192.0.2.1", null, null))
                .isNull();
        assertThat(tokens).asString().doesNotContain(ALICE).doesNotContain("plain-token");
    }

    @Test
    void trustsAProxyThatItNames() throws IOException {
        AccessTokens tokens = read("sso proxy " + PROXY + "\n");

        Visitor named = tokens.visitor(PROXY, "10.0.0.1", "alice@example.org", "staff, operate ,wheel");
        Visitor nobody = tokens.visitor(PROXY, "10.0.0.1", null, "erase");
        Visitor withoutRoles = tokens.visitor(PROXY, "10.0.0.1", "bob", "staff");

        assertThat(named.person().name()).isEqualTo("alice@example.org");
        assertThat(named.may(Role.OPERATE)).isTrue();
        assertThat(named.may(Role.ERASE)).isFalse();
        assertThat(nobody.roles())
                .as("a request without a person may do nothing")
                .isEmpty();
        assertThat(withoutRoles.roles()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "alice operate, three words",
        "alice root 01234567890123456789, a role is metrics",
        "alice read short, at least 20 characters",
        "alice read sha256:00, 64 hexadecimal digits",
        "'', has no token"
    })
    void saysWhatIsWrongWithoutTheToken(String line, String complaint) {
        assertThatThrownBy(() -> read(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(complaint)
                .hasMessageNotContaining("short\"");
    }

    @Test
    void refusesAFileThatEverybodyCanRead() throws IOException {
        Path file = directory.resolve("open");
        Files.writeString(file, "alice read 01234567890123456789\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        assertThatThrownBy(() -> AccessTokens.read(file)).hasMessageContaining("chmod 600");
    }
}
