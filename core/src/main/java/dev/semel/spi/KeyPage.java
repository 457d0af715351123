package dev.semel.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of records, and the cursor of the next page. A store may bound its work per page, so that a page can hold fewer records than
 * asked for, or none, and still have a next one.
 */
public record KeyPage(List<KeyRecord> records, @Nullable String next) {}
