package dev.semel.gateway.access;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A role on the admin address. */
public enum Role {
    /** Scrape the metrics, and nothing else. */
    METRICS,
    /** Read everything, including stored responses. */
    READ,
    /** Resolve keys. */
    OPERATE,
    /** Erase the records of a scope. */
    ERASE;

    /** All of them. */
    public static final Set<Role> ALL = Set.copyOf(EnumSet.allOf(Role.class));

    /** These roles, and those that they include: deciding and erasing include reading, and reading includes scraping. */
    static Set<Role> withIncluded(Set<Role> roles) {
        EnumSet<Role> all = EnumSet.noneOf(Role.class);
        all.addAll(roles);
        if (all.contains(OPERATE) || all.contains(ERASE)) {
            all.add(READ);
        }
        if (all.contains(READ)) {
            all.add(METRICS);
        }
        return Set.copyOf(all);
    }

    static Optional<Role> find(String name) {
        return Arrays.stream(values())
                .filter(role -> role.toString().equals(name))
                .findFirst();
    }

    /** Roles as people write them, in the order in which they include each other. */
    static String list(Set<Role> roles) {
        return Arrays.stream(values())
                .filter(roles::contains)
                .map(Role::toString)
                .collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
