package dev.semel.spring;

import dev.semel.http.RequestHead;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** Evaluates natural keys over what is known of a request before its body: path variables, query and headers. */
final class PathKeys {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    private final String contextPath;
    private final List<PathPattern> patterns;

    /** @param patterns the handler's patterns, below the context path */
    PathKeys(String contextPath, Collection<String> patterns) {
        this.contextPath = contextPath;
        this.patterns =
                patterns.stream().map(PathPatternParser.defaultInstance::parse).toList();
    }

    Function<RequestHead, @Nullable String> key(String text, String place) {
        Expression expression;
        try {
            expression = PARSER.parseExpression(text);
        } catch (ParseException e) {
            throw new SemelConfigurationException(
                    "@Idempotent on " + place + " has a key that cannot be read: " + e.getMessage(),
                    "Correct the SpEL expression \"" + text + "\".",
                    e);
        }
        return head -> {
            String value = KeyText.of(expression.getValue(context(head)), expression);
            return value.isEmpty() ? null : value;
        };
    }

    private SimpleEvaluationContext context(RequestHead head) {
        SimpleEvaluationContext context =
                SimpleEvaluationContext.forReadOnlyDataBinding().build();
        context.setVariable("query", query(head));
        context.setVariable("header", new HeaderMap(head));
        variables(head).forEach(context::setVariable);
        return context;
    }

    private Map<String, String> variables(RequestHead head) {
        PathContainer path = PathContainer.parsePath(head.path().substring(contextPath.length()));
        for (PathPattern pattern : patterns) {
            PathPattern.PathMatchInfo match = pattern.matchAndExtract(path);
            if (match != null) {
                return match.getUriVariables();
            }
        }
        return Map.of();
    }

    private static Map<String, String> query(RequestHead head) {
        Map<String, String> query = new LinkedHashMap<>();
        String text = head.query();
        if (text == null) {
            return query;
        }
        UriComponentsBuilder.newInstance()
                .query(text)
                .build()
                .getQueryParams()
                .forEach((name, values) -> query.put(name, String.valueOf(values.get(0))));
        return query;
    }

    /** Headers by name, in any case. */
    private static final class HeaderMap extends java.util.AbstractMap<String, String> {

        private final RequestHead head;

        HeaderMap(RequestHead head) {
            this.head = head;
        }

        @Override
        public @Nullable String get(Object name) {
            List<String> lines = head.headers().lines(name.toString());
            return lines.isEmpty() ? null : lines.get(0);
        }

        @Override
        public java.util.Set<Entry<String, String>> entrySet() {
            throw new UnsupportedOperationException("headers are read one by one: #header['Name']");
        }
    }
}
