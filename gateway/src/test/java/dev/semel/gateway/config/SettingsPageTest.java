package dev.semel.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Keeps the page about the settings in step with them; {@code -Dpages.renew} writes it again. */
class SettingsPageTest {

    private static final Path PAGE = Path.of("..", "docs", "gateway-settings.md");
    private static final String START = "<!-- table -->\n";
    private static final String END = "<!-- end -->\n";
    private static final String RENEW =
            "./mvnw test -pl gateway -am -Dtest=SettingsPageTest -Dpages.renew -Dsurefire.failIfNoSpecifiedTests=false";

    @Test
    void thePageHasEverySetting() throws IOException {
        String page = Files.readString(PAGE);
        String before = page.substring(0, page.indexOf(START) + START.length());
        String after = page.substring(page.indexOf(END));
        String expected = before + tables() + after;
        if (System.getProperty("pages.renew") != null) {
            Files.writeString(PAGE, expected);
        }

        assertThat(Files.readString(PAGE)).as("renew the page with: " + RENEW).isEqualTo(expected);
    }

    private static String tables() {
        return "\n## For each route\n\n" + table(true) + "\n## For the whole gateway\n\n" + table(false) + "\n";
    }

    private static String table(boolean perRoute) {
        StringBuilder table = new StringBuilder("| setting | value | default | |\n|---|---|---|---|\n");
        for (Setting setting : Setting.values()) {
            if (setting.perRoute() == perRoute) {
                table.append("| `%s` | %s | %s | %s |\n"
                        .formatted(
                                setting.key(),
                                setting.isSwitch() ? "`true` or `false`" : "`" + cell(setting.label()) + "`",
                                setting.standard() == null ? "–" : "`" + cell(setting.standard()) + "`",
                                cell(setting.help())));
            }
        }
        return table.toString();
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;");
    }
}
