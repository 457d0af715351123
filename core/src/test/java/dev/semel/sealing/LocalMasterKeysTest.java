package dev.semel.sealing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalMasterKeysTest {

    private static final String OLD = Base64.getEncoder().encodeToString(new byte[32]);
    private static final String NEW = Base64.getEncoder().encodeToString(AesGcm.random(32));

    @TempDir
    private Path directory;

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("keys"), content);
    }

    @Test
    void theFirstKeyOfAFileWrapsAndAllUnwrap() throws IOException {
        byte[] dataKey = AesGcm.random(32);
        byte[] wrapped = LocalMasterKeys.read(file("old:" + OLD)).wrap(dataKey);
        LocalMasterKeys rotated = LocalMasterKeys.read(file("# rotated\n\nnew:" + NEW + "\nold:" + OLD + "\n"));

        assertThat(rotated.unwrap(wrapped)).isEqualTo(dataKey);
        assertThat(LocalMasterKeys.read(file("new:" + NEW)).unwrap(rotated.wrap(dataKey)))
                .isEqualTo(dataKey);
    }

    @Test
    void badFilesAreRefusedWithTheLineAndNeverTheKey() throws IOException {
        assertThatThrownBy(() -> LocalMasterKeys.read(file(""))).hasMessageContaining("no master key was given");
        assertThatThrownBy(() -> LocalMasterKeys.read(file("# mine\n" + NEW)))
                .hasMessageContaining("line 2 is not NAME:BASE64")
                .hasMessageNotContaining(NEW);
        assertThatThrownBy(() -> LocalMasterKeys.read(file("a:!!secret!!")))
                .hasMessageContaining("line 1 has a key that is not base64")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> LocalMasterKeys.read(file("a:c2hvcnQ=")))
                .hasMessageContaining("\"a\" must have 32 bytes, it has 5; make one with: openssl rand -base64 32");
        assertThatThrownBy(() -> LocalMasterKeys.read(file("a:" + OLD + "\na:" + NEW)))
                .hasMessageContaining("line 2 repeats the name");
        assertThatThrownBy(() -> LocalMasterKeys.of(Map.of("white space", new byte[32])))
                .hasMessageContaining("visible ASCII");
    }

    @Test
    void anotherKeyOfTheSameNameDoesNotUnwrap() throws IOException {
        byte[] wrapped = LocalMasterKeys.read(file("a:" + OLD)).wrap(new byte[32]);

        assertThatThrownBy(() -> LocalMasterKeys.read(file("a:" + NEW)).unwrap(wrapped))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a different key of the same name");
    }
}
