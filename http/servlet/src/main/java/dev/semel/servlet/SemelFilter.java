package dev.semel.servlet;

import dev.semel.Attempt;
import dev.semel.http.Admission;
import dev.semel.http.Exchange;
import dev.semel.http.HandlerEntry;
import dev.semel.http.HeaderLines;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.http.ReceiveLimits;
import dev.semel.http.Reply;
import dev.semel.http.RequestClaim;
import dev.semel.http.RequestHead;
import dev.semel.http.RuleFinder;
import dev.semel.http.ScopeExtractor;
import dev.semel.http.problem.Answer;
import dev.semel.http.shadow.ShadowExchange;
import dev.semel.http.spool.Spool;
import dev.semel.policy.Policy;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests safe to retry. Map it behind authentication and before everything that has effects, to all paths, with
 * asynchronous support, for the dispatcher types {@code REQUEST}, {@code ASYNC} and {@code ERROR}.
 */
public final class SemelFilter implements Filter {

    private final HttpGate gate;
    private final RuleFinder<HttpServletRequest> rules;
    private final ScopeExtractor<HttpServletRequest> scopes;
    private final ErrorRendering errors;
    private final FailureAttributes failures;
    private final Predicate<HttpServletRequest> reportsEntry;
    private final ReceiveLimits receiving;

    private SemelFilter(Builder builder) {
        this.gate = builder.gate;
        this.rules = builder.rules;
        this.scopes = builder.scopes;
        this.errors = builder.errors;
        this.failures = new FailureAttributes(List.copyOf(builder.failureAttributes));
        this.reportsEntry = builder.reportsEntry;
        this.receiving = builder.receiving;
    }

    /** A filter that finds the rules of a request with {@code rules}. */
    public static Builder builder(HttpGate gate, RuleFinder<HttpServletRequest> rules) {
        return new Builder(gate, rules);
    }

    /** A filter with the same rules for every request. */
    public static Builder builder(HttpGate gate, HttpRules rules) {
        gate.validate(rules);
        return new Builder(gate, request -> rules);
    }

    /** The attempt of this request, for handlers; empty if the request is not guarded. */
    public static Optional<Attempt> attempt(ServletRequest request) {
        return Optional.ofNullable((Attempt) request.getAttribute(ServletExchange.ATTEMPT));
    }

    /**
     * The {@code HandlerEntry} to which a framework reports how far this request has come; empty if the request is not
     * guarded.
     */
    public static Optional<HandlerEntry> entry(ServletRequest request) {
        return Optional.ofNullable((HandlerEntry) request.getAttribute(ServletExchange.ENTRY));
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest httpRequest && response instanceof HttpServletResponse httpResponse) {
            filter(httpRequest, httpResponse, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getAttribute(ServletExchange.EXCHANGE) instanceof ServletExchange exchange) {
            exchange.resume(request, response, chain);
            return;
        }
        DispatcherType dispatch = request.getDispatcherType();
        if (dispatch == DispatcherType.ASYNC
                && request.getAttribute(ServletExchange.EXCHANGE) instanceof WaitingDuplicate duplicate) {
            duplicate.finish(response);
            return;
        }
        if (dispatch != DispatcherType.REQUEST) {
            chain.doFilter(request, response);
            return;
        }
        HttpRules found = rules.find(request);
        if (found != null && found.isShadow()) {
            ShadowExchange shadow = gate.shadow(lastingHead(request), found, request.getContentLengthLong());
            if (shadow != null) {
                new ShadowRun(shadow, reportsEntry.test(request), failures, scopes, request, response).run(chain);
                return;
            }
        }
        Admission admission = gate.admit(head(request), found);
        if (admission instanceof Admission.Refused refused) {
            Answers.write(refused.answer(), response);
        } else if (admission instanceof Admission.Status status) {
            Answers.write(
                    status.lookup()
                            .answer(scopes.scope(request))
                            .toCompletableFuture()
                            .join(),
                    response);
        } else if (admission instanceof Exchange exchange) {
            guard(exchange, request, response, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void guard(Exchange exchange, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String scope = scopes.scope(request);
        Answer refusal = exchange.refusal(scope);
        if (refusal != null) {
            Answers.write(refusal, response);
            return;
        }
        Spool body = Spool.of(exchange.rules().maxRequestBody());
        RequestBody.Kind kind;
        try {
            kind = RequestBody.read(request, body, receiving);
        } catch (IOException | RuntimeException e) {
            body.close();
            throw e;
        }
        if (kind == RequestBody.Kind.TOO_LARGE || kind == RequestBody.Kind.TOO_SLOW) {
            body.close();
            Answers.write(kind == RequestBody.Kind.TOO_LARGE ? exchange.tooLarge() : exchange.tooSlow(), response);
            return;
        }
        boolean spooled = kind == RequestBody.Kind.SPOOLED;
        HandlerEntry entry = reportsEntry.test(request) ? HandlerEntry.reported() : HandlerEntry.unreported();
        request.setAttribute(ServletExchange.ENTRY, entry);
        Policy policy = exchange.rules().policy();
        boolean transactional = exchange.rules().transactions() != null;
        Capture capture = transactional ? Capture.holding(exchange.rules()) : Capture.streaming(exchange.rules());
        CapturedHandler handler = new CapturedHandler(failures, body, spooled, capture);
        if (transactional) {
            new TransactionalExchange(exchange, handler, entry).run(scope, request, response, chain);
            return;
        }
        RequestClaim claim = claim(exchange, scope, body, request);
        if (claim instanceof RequestClaim.Owned owned) {
            new ServletExchange(new HandlerRun(owned, entry), handler, policy, errors).begin(request, response, chain);
            return;
        }
        handler.close();
        if (claim instanceof RequestClaim.Waiting waiting) {
            new WaitingDuplicate(waiting.reply().toCompletableFuture()).begin(request, response);
        } else if (claim instanceof Reply.Instead instead) {
            Answers.write(instead.answer(), response);
        }
    }

    /** Claims the key. A request that cannot give its thread back waits on it, and may run its handler after that. */
    private static RequestClaim claim(
            Exchange exchange, @Nullable String scope, Spool body, HttpServletRequest request) {
        try {
            RequestClaim claim = exchange.claim(scope, body);
            return claim instanceof RequestClaim.Waiting waiting && !request.isAsyncSupported()
                    ? waiting.await()
                    : claim;
        } catch (RuntimeException | Error e) {
            body.close();
            throw e;
        }
    }

    /** A head that can be read when the container has used the request for another one. */
    private static RequestHead lastingHead(HttpServletRequest request) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        request.getHeaderNames()
                .asIterator()
                .forEachRemaining(name -> headers.put(name, lines(request.getHeaders(name))));
        return head(request, name -> headers.getOrDefault(name, List.of()));
    }

    private static RequestHead head(HttpServletRequest request) {
        return head(request, name -> request.getHeader(name) == null ? List.of() : lines(request.getHeaders(name)));
    }

    private static RequestHead head(HttpServletRequest request, HeaderLines headers) {
        return RequestHead.of(request.getMethod(), request.getRequestURI(), request.getQueryString(), headers);
    }

    private static List<String> lines(Enumeration<String> lines) {
        String first = lines.nextElement();
        if (!lines.hasMoreElements()) {
            return List.of(first);
        }
        List<String> all = new ArrayList<>(List.of(first));
        lines.asIterator().forEachRemaining(all::add);
        return all;
    }

    /** Builds a {@link SemelFilter}. */
    public static final class Builder {

        private final HttpGate gate;
        private final RuleFinder<HttpServletRequest> rules;
        private final List<String> failureAttributes = new ArrayList<>();
        private ScopeExtractor<HttpServletRequest> scopes = Builder::principal;
        private ErrorRendering errors = ErrorRendering.PROBLEM;
        private Predicate<HttpServletRequest> reportsEntry = request -> false;
        private ReceiveLimits receiving = ReceiveLimits.standard();

        private Builder(HttpGate gate, RuleFinder<HttpServletRequest> rules) {
            this.gate = gate;
            this.rules = rules;
        }

        /** Identifies the caller; by default the name of the principal that the container has authenticated. */
        public Builder scope(ScopeExtractor<HttpServletRequest> extractor) {
            this.scopes = extractor;
            return this;
        }

        public Builder errors(ErrorRendering rendering) {
            this.errors = rendering;
            return this;
        }

        /**
         * The name of the request attribute in which a framework stores the exception that it has converted to a
         * response. The filter reads it to learn that an operation did not execute.
         */
        public Builder failureAttribute(String name) {
            failureAttributes.add(name);
            return this;
        }

        /**
         * Selects the requests for which a framework reports to {@link SemelFilter#entry} that their handler is
         * entered. If such a request gets a response without this report, it was not executed. By default every handler
         * counts as entered.
         */
        public Builder reportsEntry(Predicate<HttpServletRequest> requests) {
            this.reportsEntry = requests;
            return this;
        }

        /**
         * How fast a body must arrive. The rate is checked whenever bytes arrive; the container's own timeout covers a
         * body that does not arrive at all.
         */
        public Builder receiving(ReceiveLimits limits) {
            this.receiving = limits;
            return this;
        }

        public SemelFilter build() {
            return new SemelFilter(this);
        }

        private static @Nullable String principal(HttpServletRequest request) {
            Principal principal = request.getUserPrincipal();
            return principal == null ? null : principal.getName();
        }
    }
}
