package dev.semel.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class LengthPrefixedDigestTest {

    private static final byte[] SECRET = {1, 2, 3};

    @Test
    void digestsEveryPartAfterItsLengthWhateverItsSize() throws IOException, GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
        Random random = new Random(42);
        for (int i = 0; i < 20_000; i++) {
            LengthPrefixedDigest plain = LengthPrefixedDigest.sha256();
            LengthPrefixedDigest keyed = LengthPrefixedDigest.hmacSha256(SECRET);
            ByteArrayOutputStream input = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(input);
            List<byte[]> added = new ArrayList<>();
            for (int parts = random.nextInt(12); parts > 0; parts--) {
                byte[] part = new byte[random.nextInt(random.nextBoolean() ? 40 : 600)];
                random.nextBytes(part);
                plain.add(part);
                keyed.add(part);
                added.add(part);
                out.writeInt(part.length);
                out.write(part);
            }

            assertThat(LengthPrefixedDigest.sha256Of(added.toArray(byte[][]::new)))
                    .isEqualTo(plain.bytes())
                    .isEqualTo(MessageDigest.getInstance("SHA-256").digest(input.toByteArray()));
            assertThat(keyed.bytes()).isEqualTo(mac.doFinal(input.toByteArray()));
        }
    }

    @Test
    void aDigestThatFailedLeavesNothingBehind() {
        byte[] part = {1};
        byte[] expected = LengthPrefixedDigest.sha256().add(part).bytes();

        assertThatThrownBy(() -> LengthPrefixedDigest.sha256Of(part, null)).isInstanceOf(NullPointerException.class);
        assertThat(LengthPrefixedDigest.sha256Of(part)).isEqualTo(expected);
    }
}
