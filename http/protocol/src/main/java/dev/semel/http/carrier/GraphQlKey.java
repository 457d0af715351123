package dev.semel.http.carrier;

import dev.semel.http.fingerprint.RequestContent;
import dev.semel.http.header.IdempotencyKeyHeader.InvalidKeyException;
import dev.semel.http.json.JsonPointer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The key that a client has put into its GraphQL document, {@code @idempotent(key: "...")}, or into the variable that stands
 * there. The document is read strictly: if a service could see another key, it is refused.
 */
public final class GraphQlKey {

    private static final JsonPointer QUERY = JsonPointer.parse("/query");
    private static final String DIRECTIVE = "idempotent";
    private static final String ARGUMENT = "key";
    private static final Set<String> OPERATIONS = Set.of("query", "mutation", "subscription");
    private static final Map<String, String> CLOSED_BY = Map.of("(", ")", "[", "]", "{", "}");
    private static final String PUNCTUATORS = "!$&():=@[]{|}";
    private static final int MAX_DEPTH = 100;

    private enum Kind {
        NAME,
        /** A string without escapes. */
        PLAIN_STRING,
        PUNCTUATOR,
        /** Numbers, and all other strings. */
        OTHER,
        END
    }

    private record Token(Kind kind, String text) {

        boolean is(String punctuator) {
            return kind == Kind.PUNCTUATOR && text.equals(punctuator);
        }
    }

    /** What follows {@code key:}. */
    record Argument(boolean variable, String text) {}

    private final String document;
    private final Deque<String> open = new ArrayDeque<>();
    private int at;
    private int operations;
    private boolean inOperation;
    private boolean betweenDefinitions = true;
    private @Nullable Argument argument;

    private GraphQlKey(String document) {
        this.document = document;
    }

    /** The key; {@code null} if the body is not a GraphQL request, or its document has no such directive. */
    public static @Nullable String of(RequestContent content) throws InvalidKeyException {
        String query = BodyKey.atPointer(content, QUERY);
        Argument found = query == null ? null : find(query);
        if (found == null || !found.variable()) {
            return found == null ? null : found.text();
        }
        String value = BodyKey.atPointer(content, new JsonPointer(List.of("variables", found.text())));
        if (value == null) {
            throw new InvalidKeyException("The variable $" + found.text()
                    + ", which is the key of this operation, has no value among the variables of the request.");
        }
        return value;
    }

    static @Nullable Argument find(String document) throws InvalidKeyException {
        return new GraphQlKey(document).read();
    }

    private @Nullable Argument read() throws InvalidKeyException {
        for (Token token = next(); token.kind() != Kind.END; token = next()) {
            if (betweenDefinitions) {
                begin(token);
            }
            if (token.is("@")) {
                directive(next());
            } else if (token.kind() == Kind.PUNCTUATOR) {
                nest(token.text());
            }
        }
        if (!betweenDefinitions) {
            throw unreadable("it ends too early");
        }
        if (argument != null && operations != 1) {
            throw unreadable("it has several operations, but a key can only belong to one");
        }
        return argument;
    }

    private void begin(Token token) throws InvalidKeyException {
        boolean operation = token.is("{") || (token.kind() == Kind.NAME && OPERATIONS.contains(token.text()));
        if (!operation && !(token.kind() == Kind.NAME && token.text().equals("fragment"))) {
            throw unreadable("it has definitions other than operations and fragments");
        }
        betweenDefinitions = false;
        inOperation = operation;
        operations += operation ? 1 : 0;
    }

    private void nest(String punctuator) throws InvalidKeyException {
        if (CLOSED_BY.containsKey(punctuator)) {
            open.push(punctuator);
            if (open.size() > MAX_DEPTH) {
                throw unreadable("it has more than " + MAX_DEPTH + " levels");
            }
        } else if (CLOSED_BY.containsValue(punctuator)) {
            if (open.isEmpty() || !punctuator.equals(CLOSED_BY.get(open.pop()))) {
                throw unreadable("its brackets do not match");
            }
            betweenDefinitions = open.isEmpty() && punctuator.equals("}");
        }
    }

    private void directive(Token name) throws InvalidKeyException {
        if (name.kind() != Kind.NAME) {
            throw unreadable("it has a directive without a name");
        }
        if (!name.text().equals(DIRECTIVE)) {
            return;
        }
        if (argument != null) {
            throw unreadable("it has several keys");
        }
        if (!inOperation || open.contains("(") || open.contains("[")) {
            throw unreadable("@" + DIRECTIVE + " is neither on the operation nor on one of its fields");
        }
        boolean begun = next().is("(");
        Token label = next();
        boolean labelled = label.kind() == Kind.NAME && label.text().equals(ARGUMENT);
        if (!begun || !labelled || !next().is(":")) {
            throw notAKey();
        }
        Token value = next();
        boolean variable = value.is("$");
        value = variable ? next() : value;
        if (value.kind() != (variable ? Kind.NAME : Kind.PLAIN_STRING) || !next().is(")")) {
            throw notAKey();
        }
        argument = new Argument(variable, value.text());
    }

    private Token next() throws InvalidKeyException {
        skipIgnored();
        if (at == document.length()) {
            return new Token(Kind.END, "");
        }
        char first = document.charAt(at);
        if (first == '"') {
            return string();
        }
        if (first == '_' || isLetter(first)) {
            return new Token(Kind.NAME, run(false));
        }
        if (first == '-' || isDigit(first)) {
            return new Token(Kind.OTHER, run(true));
        }
        if (document.startsWith("...", at)) {
            at += 3;
            return new Token(Kind.OTHER, "...");
        }
        if (PUNCTUATORS.indexOf(first) < 0) {
            throw unreadable("it has an unexpected character");
        }
        at++;
        return new Token(Kind.PUNCTUATOR, String.valueOf(first));
    }

    private void skipIgnored() {
        while (at < document.length()) {
            char c = document.charAt(at);
            if (c == '#') {
                while (at < document.length() && !isLineEnd(document.charAt(at))) {
                    at++;
                }
            } else if (c == ' ' || c == '\t' || c == ',' || c == '\uFEFF' || isLineEnd(c)) {
                at++;
            } else {
                return;
            }
        }
    }

    private String run(boolean number) {
        int start = at++;
        while (at < document.length() && continues(document.charAt(at), number)) {
            at++;
        }
        return document.substring(start, at);
    }

    private static boolean continues(char c, boolean number) {
        return c == '_' || isLetter(c) || isDigit(c) || (number && (c == '.' || c == '+' || c == '-'));
    }

    private Token string() throws InvalidKeyException {
        if (document.startsWith("\"\"\"", at)) {
            return block();
        }
        int start = ++at;
        boolean plain = true;
        while (at < document.length() && document.charAt(at) != '"') {
            char c = document.charAt(at);
            if (isLineEnd(c)) {
                break;
            }
            plain &= c != '\\';
            at += c == '\\' ? 2 : 1;
        }
        if (at >= document.length() || document.charAt(at) != '"') {
            throw unreadable("it has a string that does not end");
        }
        return new Token(plain ? Kind.PLAIN_STRING : Kind.OTHER, document.substring(start, at++));
    }

    private Token block() throws InvalidKeyException {
        int end = document.indexOf("\"\"\"", at + 3);
        while (end > 0 && document.charAt(end - 1) == '\\') {
            end = document.indexOf("\"\"\"", end + 3);
        }
        if (end < 0) {
            throw unreadable("it has a string that does not end");
        }
        at = end + 3;
        return new Token(Kind.OTHER, "");
    }

    private static boolean isLineEnd(char c) {
        return c == '\n' || c == '\r';
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static InvalidKeyException notAKey() {
        return unreadable("the directive must be @" + DIRECTIVE + "(" + ARGUMENT
                + ": \"...\") with a string without escapes, or with a variable");
    }

    private static InvalidKeyException unreadable(String why) {
        return new InvalidKeyException("The key in the GraphQL document cannot be read: " + why + ".");
    }
}
