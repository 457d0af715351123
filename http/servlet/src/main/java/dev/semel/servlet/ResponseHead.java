package dev.semel.servlet;

import dev.semel.Header;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Status, headers and cookies of a response that is not sent yet. It is not kept in the container's response, which may
 * be gone, or serve another request, when an asynchronous handler comes to its end.
 */
final class ResponseHead {

    private static final int OK = 200;
    private static final Pattern CHARSET =
            Pattern.compile(";\\s*charset\\s*=\\s*\"?([^\\s;\"]+)\"?", Pattern.CASE_INSENSITIVE);

    private final List<Header> headers = new ArrayList<>();
    private final List<Cookie> cookies = new ArrayList<>();
    private int status = OK;
    private @Nullable String contentType;
    private @Nullable String charset;
    private boolean charsetFixed;

    int status() {
        return status;
    }

    void status(int code) {
        this.status = code;
    }

    void set(String name, @Nullable String value) {
        if (name.equalsIgnoreCase("Content-Type")) {
            contentType(value);
            return;
        }
        headers.removeIf(header -> header.name().equalsIgnoreCase(name));
        if (value != null) {
            headers.add(new Header(name, value));
        }
    }

    void add(String name, String value) {
        if (name.equalsIgnoreCase("Content-Type")) {
            contentType(value);
        } else {
            headers.add(new Header(name, value));
        }
    }

    void add(Cookie cookie) {
        cookies.add(cookie);
    }

    /** The values of a header that was set here. */
    List<String> values(String name) {
        if (name.equalsIgnoreCase("Content-Type")) {
            String type = contentType();
            return type == null ? List.of() : List.of(type);
        }
        return headers.stream()
                .filter(header -> header.name().equalsIgnoreCase(name))
                .map(Header::value)
                .toList();
    }

    boolean has(String name) {
        for (Header header : headers) {
            if (header.name().equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    Collection<String> names() {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        toHeaders().forEach(header -> names.add(header.name()));
        return names;
    }

    void contentType(@Nullable String value) {
        if (value == null || value.indexOf(';') < 0) {
            contentType = value;
            return;
        }
        Matcher matcher = CHARSET.matcher(value);
        if (!matcher.find()) {
            contentType = value;
            return;
        }
        if (!charsetFixed) {
            charset = matcher.group(1);
        }
        // The parameter comes back from the field, which may have been fixed to another one.
        contentType = matcher.replaceFirst("");
    }

    @Nullable
    String contentType() {
        if (contentType == null || charset == null) {
            return contentType;
        }
        return contentType + ";charset=" + charset;
    }

    @Nullable
    String charset() {
        return charset;
    }

    /** No effect once a writer was made with another one. */
    void charset(@Nullable String name) {
        if (!charsetFixed) {
            charset = name;
        }
    }

    void fixCharset(String name) {
        charset = name;
        charsetFixed = true;
    }

    /** Forgets everything. */
    void reset() {
        headers.clear();
        cookies.clear();
        status = OK;
        contentType = null;
        charset = null;
        charsetFixed = false;
    }

    /** Forgets what described a body that is not sent. */
    void resetBody() {
        contentType = null;
        charset = null;
        charsetFixed = false;
        headers.removeIf(header -> header.name().regionMatches(true, 0, "Content-", 0, "Content-".length()));
    }

    /** Everything but the cookies, for the store. */
    List<Header> toHeaders() {
        List<Header> all = new ArrayList<>(headers);
        String type = contentType();
        if (type != null) {
            all.add(new Header("Content-Type", type));
        }
        return all;
    }

    void applyTo(HttpServletResponse response) {
        response.setStatus(status);
        Answers.addHeaders(toHeaders(), response);
        cookies.forEach(response::addCookie);
    }
}
