package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisURI;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedisUrlTest {

    @Test
    void aSingleServer() {
        RedisUrl url = RedisUrl.parse("rediss://user:secret@cache:6380/2?createIfMissing=true&timeout=3s");

        assertThat(url.cluster()).isFalse();
        assertThat(url.options()).isEqualTo(Map.of("createIfMissing", "true"));
        RedisURI uri = url.single();
        assertThat(uri.getHost()).isEqualTo("cache");
        assertThat(uri.getPort()).isEqualTo(6380);
        assertThat(uri.getDatabase()).isEqualTo(2);
        assertThat(uri.isSsl()).isTrue();
        assertThat(uri.getTimeout()).hasSeconds(3);
    }

    @Test
    void sentinels() {
        RedisUrl url = RedisUrl.parse("redis-sentinel://one:26379,two:26380/0?prefix=pay&replicas=2#main");

        assertThat(url.options()).isEqualTo(Map.of("prefix", "pay", "replicas", "2"));
        assertThat(url.single().getSentinelMasterId()).isEqualTo("main");
        assertThat(url.single().getSentinels()).extracting(RedisURI::getPort).containsExactly(26379, 26380);
    }

    @Test
    void aCluster() {
        RedisUrl url = RedisUrl.parse("redis-cluster://one:7000,two:7001?createIfMissing=true");

        assertThat(url.cluster()).isTrue();
        assertThat(url.nodes()).extracting(RedisURI::getHost).containsExactly("one", "two");
        assertThat(RedisUrl.parse("rediss-cluster://one:7000").nodes().get(0).isSsl())
                .isTrue();
    }

    @Test
    void anotherSchemeIsRefusedWithoutShowingThePassword() {
        assertThatThrownBy(() -> RedisUrl.parse("http://user:secret@cache"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"http\"")
                .hasMessageNotContaining("secret");
    }
}
