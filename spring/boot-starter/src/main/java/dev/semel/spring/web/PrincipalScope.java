package dev.semel.spring.web;

import dev.semel.spring.operation.KeyText;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;

/** The name of the authenticated Spring Security principal, which stays the same when a token is refreshed. */
final class PrincipalScope {

    private static final Logger LOG = LoggerFactory.getLogger(PrincipalScope.class);

    private PrincipalScope() {}

    static @Nullable String of(@Nullable Principal principal) {
        if (principal == null || principal instanceof AnonymousAuthenticationToken) {
            return null;
        }
        String name = principal.getName();
        Object person = principal instanceof Authentication authentication ? authentication.getPrincipal() : principal;
        if (person != null && name.equals(KeyText.identityOf(person))) {
            // It would be another caller with every request, and every retry would run.
            LOG.error(
                    "requests of {} are refused: its name is that of an object in memory. Let it implement"
                            + " AuthenticatedPrincipal, or define a ScopeExtractor bean",
                    person.getClass().getName());
            return null;
        }
        return name;
    }
}
