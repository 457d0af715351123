package dev.semel.gateway.access;

import dev.semel.spi.DecisionLog;
import java.util.Set;

/** A person with access to the admin address, and what they may do there. */
public record Visitor(DecisionLog.Person person, Set<Role> roles) {

    public boolean may(Role role) {
        return roles.contains(role);
    }

    /** The message for a visitor who lacks a role. */
    public String refusal(Role needed) {
        return person.name() + " may not do this: it needs the role " + needed + ", and this token has "
                + (roles.isEmpty() ? "none" : Role.list(roles)) + ".";
    }
}
