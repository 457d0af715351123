package dev.semel.webflux;

import dev.semel.Header;
import dev.semel.http.problem.Answer;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/** Writes whole responses. */
final class Answers {

    private Answers() {}

    static Mono<Void> write(ServerHttpResponse response, Answer answer) {
        response.setRawStatusCode(answer.status());
        Set<String> seen = new HashSet<>();
        for (Header header : answer.headers()) {
            // The first line of a name replaces what a filter before this one may have set.
            if (seen.add(header.name().toLowerCase(Locale.ROOT))) {
                response.getHeaders().set(header.name(), header.value());
            } else {
                response.getHeaders().add(header.name(), header.value());
            }
        }
        if (answer.body().length == 0) {
            return response.setComplete();
        }
        response.getHeaders().setContentLength(answer.body().length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(answer.body())));
    }
}
