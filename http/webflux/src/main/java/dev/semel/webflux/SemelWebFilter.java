package dev.semel.webflux;

import dev.semel.Attempt;
import dev.semel.NotExecutedException;
import dev.semel.http.Admission;
import dev.semel.http.Exchange;
import dev.semel.http.HandlerEntry;
import dev.semel.http.HandlerResponse;
import dev.semel.http.HeaderLines;
import dev.semel.http.HttpGate;
import dev.semel.http.HttpRules;
import dev.semel.http.ReceiveLimits;
import dev.semel.http.Reply;
import dev.semel.http.RequestHead;
import dev.semel.http.problem.Answer;
import dev.semel.http.shadow.ShadowExchange;
import dev.semel.http.spool.Spool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * A filter that makes requests to Spring WebFlux safe to retry.
 *
 * <p>Place it behind the filter that authenticates the caller. A response is held back until its outcome is stored,
 * unless it is too large to be stored; the operation goes on, and is stored, when its client has gone. The running
 * {@link Attempt} is in the Reactor context under {@code Attempt.class}, and in the exchange's attributes under {@link
 * #ATTEMPT}.
 */
public final class SemelWebFilter implements WebFilter {

    /** The exchange attribute that holds the running {@link Attempt}. */
    public static final String ATTEMPT = Attempt.class.getName();

    /** The exchange attribute that holds the {@link HandlerEntry}, for a framework that reports to it. */
    public static final String ENTRY = HandlerEntry.class.getName();

    /** How long the lookup of the caller may take when the request is over. */
    private static final Duration SHADOW_SCOPE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(SemelWebFilter.class);

    private final HttpGate gate;
    private final ReactiveRuleFinder rules;
    private final ReactiveScopeExtractor scopes;
    private final List<WebExceptionHandler> exceptionHandlers;
    private final ServerCodecConfigurer codecs;
    private final Predicate<Throwable> answeredBefore;
    private final boolean reportsEntry;
    private final ReceiveLimits receiving;

    private SemelWebFilter(Builder builder) {
        this.gate = builder.gate;
        this.rules = builder.rules;
        this.scopes = builder.scopes;
        this.exceptionHandlers = List.copyOf(builder.exceptionHandlers);
        this.codecs = builder.codecs;
        this.answeredBefore = builder.answeredBefore;
        this.reportsEntry = builder.reportsEntry;
        this.receiving = builder.receiving;
    }

    public static Builder builder(HttpGate gate, ReactiveRuleFinder rules, ReactiveScopeExtractor scopes) {
        return new Builder(gate, rules, scopes);
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return optional(rules.find(exchange)).flatMap(found -> admit(exchange, chain, found.orElse(null)));
    }

    private Mono<Void> admit(ServerWebExchange exchange, WebFilterChain chain, @Nullable HttpRules found) {
        if (found != null && found.isShadow()) {
            ShadowExchange shadow = gate.shadow(
                    lastingHead(exchange.getRequest()),
                    found,
                    exchange.getRequest().getHeaders().getContentLength());
            if (shadow != null) {
                return watch(exchange, chain, shadow);
            }
        }
        Admission admission =
                gate.admit(head(exchange.getRequest(), name -> lines(exchange.getRequest(), name)), found);
        if (admission instanceof Exchange guarded) {
            return optional(scopes.scope(exchange))
                    .flatMap(scope -> guard(exchange, chain, guarded, scope.orElse(null)));
        }
        if (admission instanceof Admission.Refused refused) {
            return Answers.write(exchange.getResponse(), refused.answer());
        }
        if (admission instanceof Admission.Status status) {
            return optional(scopes.scope(exchange))
                    .flatMap(scope ->
                            Mono.fromCompletionStage(() -> status.lookup().answer(scope.orElse(null))))
                    .flatMap(answer -> Answers.write(exchange.getResponse(), answer));
        }
        return chain.filter(exchange);
    }

    /** Lets the request run as if there were no filter, and records its result afterwards. */
    private Mono<Void> watch(ServerWebExchange exchange, WebFilterChain chain, ShadowExchange shadow) {
        exchange.getAttributes().put(ATTEMPT, shadow.attempt());
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        return Mono.deferContextual(context -> chain.filter(new ShadowedExchange(exchange, shadow.body()))
                .doOnError(failure::set)
                .doFinally(signal -> {
                    int status = signal == SignalType.CANCEL ? 0 : status(exchange.getResponse(), failure.get());
                    Consumer<@Nullable String> over = scope -> shadow.ended(scope, status, failure.get(), reportsEntry);
                    optional(Mono.defer(() -> scopes.scope(exchange)))
                            .timeout(SHADOW_SCOPE)
                            .contextWrite(Context.of(context))
                            .subscribe(scope -> over.accept(scope.orElse(null)), unknown -> over.accept(null));
                })
                .contextWrite(Context.of(Attempt.class, shadow.attempt())));
    }

    /** The response to the client; for an exception, the application's most likely response to it. */
    private static int status(ServerHttpResponse response, @Nullable Throwable failure) {
        if (failure != null) {
            return failure instanceof ErrorResponse error
                    ? error.getStatusCode().value()
                    : HttpStatus.INTERNAL_SERVER_ERROR.value();
        }
        HttpStatusCode status = response.getStatusCode();
        return status == null ? HttpStatus.OK.value() : status.value();
    }

    private Mono<Void> guard(
            ServerWebExchange exchange, WebFilterChain chain, Exchange guarded, @Nullable String scope) {
        Answer refusal = guarded.refusal(scope);
        if (refusal != null) {
            return Answers.write(exchange.getResponse(), refusal);
        }
        Spool body = Spool.of(guarded.rules().maxRequestBody());
        // Set by the first of the two: the client that leaves, or the run, which closes the body when it is over.
        AtomicBoolean taken = new AtomicBoolean();
        return Bodies.fill(body, exchange.getRequest().getBody(), receiving)
                .doOnError(error -> Bodies.close(body))
                .doOnCancel(() -> {
                    if (taken.compareAndSet(false, true)) {
                        Bodies.close(body);
                    }
                })
                .flatMap(filling -> {
                    if (filling != Bodies.Filling.WHOLE) {
                        Bodies.close(body);
                        return Answers.write(
                                exchange.getResponse(),
                                filling == Bodies.Filling.TOO_LARGE ? guarded.tooLarge() : guarded.tooSlow());
                    }
                    Mono<Void> run = Mono.deferContextual(context -> taken.compareAndSet(false, true)
                            ? new Run(exchange, chain, guarded, body).start(scope, context)
                            : Mono.empty());
                    // To find out what the request is, its body is read from wherever it is.
                    return body.blocks(0) ? run.subscribeOn(Schedulers.boundedElastic()) : run;
                });
    }

    /** A head that can be read when the request is over. */
    private static RequestHead lastingHead(ServerHttpRequest request) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        request.getHeaders().forEach((name, values) -> headers.put(name, List.copyOf(values)));
        return head(request, name -> headers.getOrDefault(name, List.of()));
    }

    private static RequestHead head(ServerHttpRequest request, HeaderLines headers) {
        return RequestHead.of(
                request.getMethod().name(),
                request.getURI().getRawPath(),
                request.getURI().getRawQuery(),
                headers);
    }

    private static List<String> lines(ServerHttpRequest request, String name) {
        List<String> lines = new ArrayList<>();
        // The one way to read header lines that Spring Framework 6 and 7 have in common.
        request.getHeaders().forEach((header, values) -> {
            if (lines.isEmpty() && header.equalsIgnoreCase(name)) {
                lines.addAll(values);
            }
        });
        return lines;
    }

    private static <T> Mono<Optional<T>> optional(Mono<T> mono) {
        return mono.map(Optional::of).defaultIfEmpty(Optional.empty());
    }

    /** One guarded request, from its body to its reply. */
    private final class Run {

        private final WebFilterChain chain;
        private final Exchange guarded;
        private final Spool body;
        private final ServerHttpResponse answered;
        private final CapturedResponse response;
        private final GuardedExchange exchange;
        private final HandlerEntry entry = reportsEntry ? HandlerEntry.reported() : HandlerEntry.unreported();
        private volatile @Nullable Throwable passedOn;

        Run(ServerWebExchange original, WebFilterChain chain, Exchange guarded, Spool body) {
            this.chain = chain;
            this.guarded = guarded;
            this.body = body;
            this.answered = original.getResponse();
            this.response = new CapturedResponse(
                    guarded.isAnsweredEarly() ? new UnsentResponse() : answered,
                    guarded.rules().policy().maxPayload(),
                    guarded.rules().policy().lease());
            this.exchange = new GuardedExchange(original, body, response, codecs);
        }

        Mono<Void> start(@Nullable String scope, ContextView context) {
            CompletableFuture<Reply> running = run(scope, context);
            CompletableFuture<Void> replied = new CompletableFuture<>();
            CompletableFuture<Reply> over = running.thenCompose(reply ->
                    reply instanceof Reply.Early early ? early.rest() : CompletableFuture.completedStage(reply));
            over.whenComplete((reply, error) -> Bodies.close(body));
            CompletableFuture.allOf(over.handle((reply, error) -> true), replied)
                    .whenComplete((done, never) -> response.close());
            // A client that goes away cancels the reply, and nothing else.
            return Mono.fromFuture(running, true).flatMap(this::write).doFinally(signal -> replied.complete(null));
        }

        private CompletableFuture<Reply> run(@Nullable String scope, ContextView context) {
            try {
                return guarded.run(
                                scope,
                                body,
                                task -> Schedulers.parallel().schedule(task),
                                attempt -> handle(attempt, context).toFuture())
                        .toCompletableFuture();
            } catch (RuntimeException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        private Mono<HandlerResponse> handle(Attempt attempt, ContextView context) {
            exchange.getAttributes().put(ATTEMPT, attempt);
            exchange.getAttributes().put(ENTRY, entry);
            Mono<Void> answered = Mono.defer(() -> chain.filter(exchange))
                    .doOnError(response::failed)
                    .onErrorMap(
                            error -> entry.isEntered() && answeredBefore.test(error),
                            denial -> new ResponseStatusException(HttpStatus.FORBIDDEN, null, denial));
            for (WebExceptionHandler handler : exceptionHandlers) {
                answered = answered.onErrorResume(
                        error -> !answeredBefore.test(error), error -> handler.handle(exchange, error));
            }
            return answered.then(Mono.defer(() -> response.response(entry)))
                    .onErrorMap(answeredBefore, error -> {
                        passedOn = error;
                        return new NotExecutedException("left to a filter before this one to answer", error);
                    })
                    .onErrorMap(entry::seen)
                    .doFinally(signal -> cleanUp())
                    .contextWrite(Context.of(context).put(Attempt.class, attempt));
        }

        private void cleanUp() {
            exchange.cleanupMultipart()
                    .subscribe(done -> {}, error -> LOG.warn("cannot delete the parts of a multipart request", error));
        }

        private Mono<Void> write(Reply reply) {
            if (reply instanceof Reply.Early early) {
                return Answers.write(answered, early.answer());
            }
            if (guarded.isAnsweredEarly() && reply instanceof Reply.Instead instead) {
                return Answers.write(answered, instead.answer());
            }
            Throwable forOthers = passedOn;
            if (forOthers != null) {
                return Mono.error(forOthers);
            }
            return reply instanceof Reply.Instead instead
                    ? response.sendInstead(instead.answer())
                    : response.send(((Reply.Own) reply).extra());
        }
    }

    /** Builds a {@link SemelWebFilter}. */
    public static final class Builder {

        private final HttpGate gate;
        private final ReactiveRuleFinder rules;
        private final ReactiveScopeExtractor scopes;
        private List<WebExceptionHandler> exceptionHandlers = List.of();
        private ServerCodecConfigurer codecs = ServerCodecConfigurer.create();
        private Predicate<Throwable> answeredBefore = failure -> false;
        private boolean reportsEntry;
        private ReceiveLimits receiving = ReceiveLimits.standard();

        private Builder(HttpGate gate, ReactiveRuleFinder rules, ReactiveScopeExtractor scopes) {
            this.gate = gate;
            this.rules = rules;
            this.scopes = scopes;
        }

        /**
         * The application's exception handlers, in their order. Their responses are stored like any other. An exception
         * that none of them handles is answered, and stored, as a problem.
         */
        public Builder exceptionHandlers(List<WebExceptionHandler> handlers) {
            this.exceptionHandlers = handlers;
            return this;
        }

        /** The codecs that read forms and multipart bodies. */
        public Builder codecs(ServerCodecConfigurer codecs) {
            this.codecs = codecs;
            return this;
        }

        /**
         * Selects the exceptions that an earlier filter answers, such as those of a security framework. They are passed
         * on to it if the handler was not entered; otherwise the answer and the stored outcome are 403.
         */
        public Builder answeredBefore(Predicate<Throwable> exceptions) {
            this.answeredBefore = exceptions;
            return this;
        }

        /**
         * Whether a framework reports to the {@link HandlerEntry} in the attribute {@link SemelWebFilter#ENTRY} that it
         * enters the handler of a request. A request that gets a response without this report was not executed. By
         * default every handler counts as entered.
         */
        public Builder reportsEntry(boolean reports) {
            this.reportsEntry = reports;
            return this;
        }

        /**
         * How fast a body must arrive. The rate is checked whenever bytes arrive; the server's own timeout covers a
         * body that does not arrive at all.
         */
        public Builder receiving(ReceiveLimits limits) {
            this.receiving = limits;
            return this;
        }

        public SemelWebFilter build() {
            return new SemelWebFilter(this);
        }
    }
}
