package dev.semel.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CallerLimitsConfigTest {

    private static CallerLimits limits(Object... options) {
        Settings settings = new Settings()
                .putOption(Setting.UPSTREAM, "http://127.0.0.1:9000")
                .putOption(Setting.SCOPE, "credential");
        for (int i = 0; i < options.length; i += 2) {
            settings.putOption((Setting) options[i], (String) options[i + 1]);
        }
        return GatewayConfig.of(settings, List.of()).callerLimits();
    }

    @Test
    void leavesHalfOfWhatThereIsToOtherCallers() {
        assertThat(limits(Setting.UPSTREAM_CONNECTIONS, "100", Setting.MAX_BUFFERED, "80m"))
                .isEqualTo(new CallerLimits(50, 1000, 2000, 40L << 20, 0, 0, 10_000));
    }

    @Test
    void aCallerMaySendOneRequestOfTheLargestSizeInAnyCase() {
        assertThat(limits(Setting.MAX_BUFFERED, "12m", Setting.MAX_BODY, "10m").buffered())
                .isEqualTo(10L << 20);
    }

    @Test
    void everyLimitCanBeSetOrTakenAway() {
        assertThat(limits(
                        Setting.CALLER_IN_FLIGHT, "1",
                        Setting.CALLER_RATE, "2",
                        Setting.CALLER_BURST, "3",
                        Setting.CALLER_BUFFERED, "40m",
                        Setting.CALLER_KEYS, "5",
                        Setting.CALLER_BYTES, "6",
                        Setting.CALLER_UNKNOWN, "7"))
                .isEqualTo(new CallerLimits(1, 2, 3, 40L << 20, 5, 6, 7));
        assertThat(limits(
                        Setting.CALLER_IN_FLIGHT, "0",
                        Setting.CALLER_RATE, "0",
                        Setting.CALLER_BUFFERED, "0",
                        Setting.CALLER_UNKNOWN, "0"))
                .isEqualTo(CallerLimits.NONE);
    }

    @Test
    void refusesLimitsThatNoRequestCouldKeep() {
        assertThatThrownBy(() -> limits(Setting.CALLER_BUFFERED, "1m"))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "caller-buffered: a request may have 10485760 bytes (max-body), but its caller only 1048576:"
                                + " set at least 10485760, or 0 for no limit, or lower max-body (option --caller-buffered)");
        assertThatThrownBy(() -> limits(Setting.CALLER_BURST, "0"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("caller-burst: must be at least 1");
        assertThatThrownBy(() -> limits(Setting.CALLER_RATE, "-1"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("caller-rate: must be at least 0");
    }
}
