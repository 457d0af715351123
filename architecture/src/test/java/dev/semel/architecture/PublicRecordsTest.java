package dev.semel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every public record stays one for a reason: {@code docs/decisions/0022-public-values-that-grow-are-classes.md}. */
class PublicRecordsTest {

    private static final String DECISION = "docs/decisions/0022-public-values-that-grow-are-classes.md";

    private static final Pattern TABLE =
            Pattern.compile("^\\| records \\| why they may stay \\|\n.*\n((?:\\|.*\n)+)", Pattern.MULTILINE);
    private static final Pattern ROW = Pattern.compile("^\\|(.*)\\|(.*)\\|$", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("`([\\w.]+(?:\\.\\*)?)`");

    private final Map<String, String> reasons = reasons();
    private final Set<String> records = records();

    @Test
    void everyPublicRecordIsListedWithAReason() {
        assertThat(reasons).as("the records that " + DECISION + " lists").hasSizeGreaterThan(20);
        assertThat(reasons.values()).allMatch(reason -> reason.length() > 10);
        assertThat(records)
                .as("make a class of it that can grow, or list it in " + DECISION + " with the reason why it will not")
                .contains("Lease", "Claim.Acquired")
                .allMatch(name -> reasons.keySet().stream().anyMatch(listed(name)));
    }

    @Test
    void everyListedNameIsAPublicRecord() {
        assertThat(reasons.keySet())
                .allMatch(
                        entry -> records.stream().anyMatch(name -> listed(name).test(entry)));
    }

    private static Predicate<String> listed(String name) {
        return entry ->
                entry.equals(name) || (entry.endsWith(".*") && name.startsWith(entry.substring(0, entry.length() - 1)));
    }

    /** By name, or by {@code Outer.*}. */
    private static Map<String, String> reasons() {
        Matcher table = TABLE.matcher(SourceModule.read(SourceModule.ROOT.resolve(DECISION)));
        assertThat(table.find()).as("a table of records in " + DECISION).isTrue();
        Map<String, String> reasons = new LinkedHashMap<>();
        for (MatchResult row : ROW.matcher(table.group(1)).results().toList()) {
            NAME.matcher(row.group(1))
                    .results()
                    .forEach(name -> reasons.put(name.group(1), row.group(2).trim()));
        }
        return reasons;
    }

    /** The records that users can name, as {@code Outer.Inner}: the simple names of public types are unique. */
    private static Set<String> records() {
        Set<String> records = new TreeSet<>();
        for (SourceModule module : SourceModule.published()) {
            Set<String> internal = module.internalPackages();
            for (JavaClass type : module.classes()) {
                if (type.isRecord() && ApiListing.isVisible(type) && !internal.contains(type.getPackageName())) {
                    records.add(type.getName()
                            .substring(type.getPackageName().length() + 1)
                            .replace('$', '.'));
                }
            }
        }
        return records;
    }
}
