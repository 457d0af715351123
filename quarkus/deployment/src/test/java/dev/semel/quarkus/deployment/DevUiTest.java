package dev.semel.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.devui.spi.page.CardPageBuildItem;
import io.quarkus.devui.spi.page.Page;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The card of Semel in the Dev UI. */
class DevUiTest {

    private record Config(Optional<URI> consoleUrl, boolean enabled)
            implements SemelBuildConfig, SemelBuildConfig.Health {

        @Override
        public Health health() {
            return this;
        }
    }

    @Test
    void linksToTheConsoleThatIsConfigured() {
        List<CardPageBuildItem> cards = cards(Optional.of(URI.create("http://localhost:8081/")));

        assertThat(cards).singleElement().satisfies(card -> {
            Page page = card.getPages().get(0).build();
            assertThat(page.getTitle()).isEqualTo("Console");
            assertThat(page.getMetadata()).containsEntry("externalUrl", "http://localhost:8081/");
            assertThat(page.isEmbed()).isFalse();
        });
    }

    @Test
    void showsNothingWithoutAConsole() {
        assertThat(cards(Optional.empty())).isEmpty();
    }

    private static List<CardPageBuildItem> cards(Optional<URI> consoleUrl) {
        List<CardPageBuildItem> cards = new ArrayList<>();
        new SemelProcessor().devUi(new Config(consoleUrl, true), cards::add);
        return cards;
    }
}
