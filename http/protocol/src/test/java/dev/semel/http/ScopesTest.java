package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScopesTest {

    @Test
    void aCallerKeepsItsName() {
        assertThat(Scopes.fit("alice")).isEqualTo("alice");
    }

    @Test
    void aCallerNamedLikeTheDigestOfAnotherIsAnotherCaller() {
        String digest = Scopes.fit("a".repeat(1000));

        assertThat(digest).startsWith("sha256:");
        assertThat(Scopes.fit(digest)).startsWith("sha256:").isNotEqualTo(digest);
    }

    @Test
    void aCallerNamedLikeTheApplicationIsAnotherCaller() {
        assertThat(Scopes.fit("semel:application")).startsWith("sha256:");
    }
}
