package dev.semel.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.semel.gateway.TestGateway;
import dev.semel.gateway.config.ConfigException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListenErrorsTest {

    @ParameterizedTest
    @ValueSource(strings = {"listen", "admin"})
    void saysWhichAddressIsTaken(String option) throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + taken.getLocalPort();

            assertThatExceptionOfType(ConfigException.class)
                    .isThrownBy(() -> TestGateway.start("http://127.0.0.1:1", option, address)
                            .close())
                    .withMessageContaining(address)
                    .withMessageContaining("--" + option);
        }
    }
}
