package dev.semel.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some records, and where to go on. A store may bound its work per page, so that a page can hold fewer records than
 * asked for, or none, and still have a next one.
 */
public record KeyPage(List<KeyRecord> records, @Nullable String next) {}
