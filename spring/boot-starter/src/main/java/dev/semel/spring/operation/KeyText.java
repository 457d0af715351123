package dev.semel.spring.operation;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.Expression;
import org.springframework.util.ObjectUtils;

/** The text of a key or a scope from the value of an expression. Equal values give the same text. */
public final class KeyText {

    private KeyText() {}

    /**
     * The text; empty if there is no value.
     *
     * @throws IllegalArgumentException if the value has no text that a retry would give again
     */
    public static String of(@Nullable Object value, Expression expression) {
        Object content = ObjectUtils.unwrapOptional(value);
        if (content == null) {
            return "";
        }
        Class<?> unstable = unstable(content);
        if (unstable != null) {
            throw new IllegalArgumentException("the expression " + expression.getExpressionString() + " gives a "
                    + unstable.getTypeName() + ", whose text may differ in every call, so that a retry would have"
                    + " a new key; name the parts that identify it, as in #order.number, or give its class a toString"
                    + " of its own");
        }
        return content.toString();
    }

    /** The default of {@link Object#toString}, which is different in every process. */
    public static String identityOf(Object value) {
        return value.getClass().getName() + "@" + Integer.toHexString(value.hashCode());
    }

    private static @Nullable Class<?> unstable(Object value) {
        if (value instanceof List<?> list) {
            return list.stream()
                    .filter(Objects::nonNull)
                    .map(KeyText::unstable)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }
        // Sets and maps have no order that another process would keep.
        boolean unstable = value.getClass().isArray()
                || value instanceof Collection
                || value instanceof Map
                || value.toString().equals(identityOf(value));
        return unstable ? value.getClass() : null;
    }
}
