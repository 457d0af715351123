package dev.semel.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TokenGuessesTest {

    private long now = Long.MAX_VALUE - 5;
    private final TokenGuesses guesses = new TokenGuesses(() -> now);

    private void wrong(String address, int times) {
        for (int i = 0; i < times; i++) {
            guesses.wrong(address);
        }
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void aFewMistakesCostNothing() {
        wrong("192.0.2.1", TokenGuesses.FREE - 1);

        assertThat(guesses.waitOf("192.0.2.1")).isZero();
    }

    @Test
    void eachFurtherGuessWaitsTwiceAsLongUpToAMinute() {
        wrong("192.0.2.1", TokenGuesses.FREE);
        for (long seconds : new long[] {1, 2, 4, 8, 16, 32, 60, 60, 60}) {
            assertThat(guesses.waitOf("192.0.2.1")).isEqualTo(Duration.ofSeconds(seconds));
            pass(Duration.ofSeconds(seconds));
            assertThat(guesses.waitOf("192.0.2.1")).isZero();
            guesses.wrong("192.0.2.1");
        }
    }

    @Test
    void othersDoNotWait() {
        wrong("192.0.2.1", 20);

        assertThat(guesses.waitOf("192.0.2.2")).isZero();
    }

    @Test
    void mistakesAreForgottenAfterAWhile() {
        wrong("192.0.2.1", 20);
        pass(Duration.ofMinutes(11));
        guesses.wrong("192.0.2.1");

        assertThat(guesses.waitOf("192.0.2.1")).isZero();
    }

    @Test
    void theAddressesOfOneNetworkAreOneGuesser() {
        for (int i = 0; i < TokenGuesses.FREE; i++) {
            guesses.wrong("2001:db8:0:1::" + i);
        }

        assertThat(guesses.waitOf("2001:db8:0:1:ffff::9")).isPositive();
        assertThat(guesses.waitOf("2001:db8:0:2::1")).isZero();
    }

    @Test
    void aGuesserWithManyAddressesWaitsToo() {
        for (int i = 0; i < TokenGuesses.FREE_IN_ALL; i++) {
            assertThat(guesses.waitOf("192.0.2.1")).isZero();
            guesses.wrong("10.0." + i / 256 + "." + i % 256);
        }

        assertThat(guesses.waitOf("192.0.2.1")).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void remembersABoundedNumberOfAddresses() {
        for (int i = 0; i < 5_000; i++) {
            guesses.wrong("10.0." + i / 256 + "." + i % 256);
        }

        assertThat(guesses.remembered()).isEqualTo(1_000);
    }
}
