package dev.semel.spring.web;

import dev.semel.http.RequestHead;
import dev.semel.spring.operation.HeaderValues;
import dev.semel.spring.operation.KeyText;
import dev.semel.spring.operation.SemelConfigurationException;
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
import org.springframework.util.StringUtils;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.pattern.PathPattern;

/** Evaluates natural keys over the head of a request: path variables, query and headers. */
final class PathKeys {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    private final String prefix;
    private final List<PathPattern> patterns;

    /**
     * @param prefix what paths begin with before the application's own part, without a trailing slash
     * @param patterns the handler's patterns, below the prefix, as the application matches them
     */
    PathKeys(String prefix, Collection<PathPattern> patterns) {
        this.prefix = prefix;
        this.patterns = List.copyOf(patterns);
    }

    /** The prefix that a setting of Spring Boot's makes, which forgives a slash too many or too few. */
    static String prefix(String setting) {
        String path = StringUtils.trimTrailingCharacter(setting.trim(), '/');
        return path.isEmpty() || path.startsWith("/") ? path : "/" + path;
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
            Map<String, String> variables = variables(head);
            if (variables == null) {
                return null;
            }
            String value = KeyText.of(expression.getValue(context(head, variables)), expression);
            return value.isEmpty() ? null : value;
        };
    }

    private static SimpleEvaluationContext context(RequestHead head, Map<String, String> variables) {
        SimpleEvaluationContext context =
                SimpleEvaluationContext.forReadOnlyDataBinding().build();
        context.setVariable("query", query(head));
        context.setVariable("header", new HeaderValues(name -> header(head, name)));
        variables.forEach(context::setVariable);
        return context;
    }

    /** The variables of the path, or {@code null} if it is not one of the handler's: it would have the key of others. */
    private @Nullable Map<String, String> variables(RequestHead head) {
        if (!head.path().startsWith(prefix)) {
            return null;
        }
        PathContainer path = PathContainer.parsePath(head.path().substring(prefix.length()));
        for (PathPattern pattern : patterns) {
            PathPattern.PathMatchInfo match = pattern.matchAndExtract(path);
            if (match != null) {
                return match.getUriVariables();
            }
        }
        return null;
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

    private static @Nullable String header(RequestHead head, String name) {
        List<String> lines = head.headers().lines(name);
        return lines.isEmpty() ? null : lines.get(0);
    }
}
