package dev.semel.http.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CanonicalUriTest {

    @Test
    void p6SortsParametersByNameAndKeepsTheOrderOfOneName() {
        assertThat(CanonicalUri.query("b=2&a=1")).isEqualTo("a=1&b=2");
        assertThat(CanonicalUri.query("a=2&b&a=1")).isEqualTo("a=2&a=1&b");
        assertThat(CanonicalUri.query("a=1&a=2")).isNotEqualTo(CanonicalUri.query("a=2&a=1"));
        assertThat(CanonicalUri.query("a")).isNotEqualTo(CanonicalUri.query("a="));
    }

    @Test
    void p6TakesNoQueryAndAnEmptyOneForTheSame() {
        assertThat(CanonicalUri.query(null)).isEmpty();
        assertThat(CanonicalUri.query("")).isEmpty();
        assertThat(CanonicalUri.query("&&")).isEmpty();
    }

    @Test
    void p6NormalisesEscapes() {
        assertThat(CanonicalUri.path("/%7eann/%c3%A9%2f")).isEqualTo("/~ann/%C3%A9%2F");
        assertThat(CanonicalUri.query("%61=%2b")).isEqualTo("a=%2B");
        assertThat(CanonicalUri.path("/a%2Fb")).isNotEqualTo(CanonicalUri.path("/a/b"));
        assertThat(CanonicalUri.query("a=%26b")).isNotEqualTo(CanonicalUri.query("a=&b"));
    }

    @Test
    void p6LeavesWhatIsMalformedAsItIs() {
        for (String text : new String[] {"%", "%4", "%zz", "a%", "%\uff11\uff11", "100%25%"}) {
            assertThat(CanonicalUri.path(text)).isEqualTo(text);
        }
    }
}
