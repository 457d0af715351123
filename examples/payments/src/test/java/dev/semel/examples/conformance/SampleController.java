package dev.semel.examples.conformance;

import dev.semel.Header;
import dev.semel.policy.Recovery;
import dev.semel.policy.WhenStoreIsDown;
import dev.semel.spring.Idempotent;
import dev.semel.testkit.http.Endpoint;
import dev.semel.testkit.http.SampleRequest;
import dev.semel.testkit.http.SampleResponse;
import dev.semel.testkit.http.SampleService;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Serves the sample application as controllers do; each operation is named after the {@link Endpoint} that it is. */
@RestController
class SampleController {

    private static final Set<Endpoint> ASYNCHRONOUS = Set.of(Endpoint.ASYNC, Endpoint.ASYNC_ERROR);

    private final SampleService service;

    SampleController(SampleService service) {
        this.service = service;
    }

    @Idempotent("charge")
    @RequestMapping({
        "/charge",
        "/accounts/**",
        "/slow",
        "/status",
        "/send-error",
        "/throw",
        "/not-executed",
        "/unknown",
        "/gzip",
        "/chunked",
        "/empty",
        "/no-content",
        "/async",
        "/async-error"
    })
    Object charge(HttpServletRequest request) {
        return answer(request);
    }

    @Idempotent(value = "optional", required = false)
    @RequestMapping("/optional")
    Object optional(HttpServletRequest request) {
        return answer(request);
    }

    @Idempotent("strict")
    @RequestMapping("/strict")
    Object strict(HttpServletRequest request) {
        return answer(request);
    }

    @Idempotent(value = "fields", ignore = "/sentAt")
    @RequestMapping("/fields")
    Object fields(HttpServletRequest request) {
        return answer(request);
    }

    @Idempotent(value = "wait", waitFor = "1m")
    @RequestMapping("/wait")
    Object waiting(HttpServletRequest request) {
        return answer(request);
    }

    @Idempotent(value = "give-up", waitFor = "500ms")
    @RequestMapping("/give-up")
    Object givingUp(HttpServletRequest request) {
        return answer(request);
    }

    @Idempotent("prefer")
    @RequestMapping("/prefer")
    Object preferred(HttpServletRequest request) {
        return answer(request);
    }

    @Idempotent(value = "accepted", accepted = true)
    @RequestMapping("/accepted")
    Object accepted(HttpServletRequest request) {
        return answer(request);
    }

    @Idempotent(value = "busy", notExecuted = SampleService.Busy.class)
    @RequestMapping("/busy")
    Object busy(HttpServletRequest request) {
        return answer(request);
    }

    @Idempotent("large")
    @RequestMapping("/large")
    Object large(HttpServletRequest request) {
        return answer(request);
    }

    @Idempotent(value = "brief", lease = "500ms", retention = "500ms")
    @RequestMapping("/brief")
    Object brief(HttpServletRequest request) {
        return answer(request);
    }

    @Idempotent(value = "tombstone", lease = "500ms")
    @RequestMapping("/tombstone")
    Object tombstone(HttpServletRequest request) {
        return answer(request);
    }

    @Idempotent(value = "re-execute", recovery = Recovery.RE_EXECUTE)
    @RequestMapping("/re-execute")
    Object reExecuted(HttpServletRequest request) {
        return answer(request);
    }

    @Idempotent(value = "fail-open", whenStoreIsDown = WhenStoreIsDown.OPEN)
    @RequestMapping("/fail-open")
    Object failingOpen(HttpServletRequest request) {
        return answer(request);
    }

    @Idempotent("expires")
    @RequestMapping("/expires")
    Object expiring(HttpServletRequest request) {
        return answer(request);
    }

    private Object answer(HttpServletRequest request) {
        SampleRequest sample = new SampleRequest(
                request.getRequestURI(), request.getQueryString(), request.getHeader(SampleRequest.CASE));
        CompletionStage<Object> answer = service.respond(sample).thenApply(SampleController::render);
        if (ASYNCHRONOUS.contains(Endpoint.of(sample.path()).orElseThrow())) {
            return answer;
        }
        try {
            return answer.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw (RuntimeException) e.getCause();
        }
    }

    private static Object render(SampleResponse made) {
        if (made.error()) {
            throw new ResponseStatusException(HttpStatusCode.valueOf(made.status()), "as told");
        }
        HttpHeaders headers = new HttpHeaders();
        for (Header header : made.headers()) {
            headers.add(header.name(), header.value());
        }
        ResponseEntity.BodyBuilder response =
                ResponseEntity.status(made.status()).headers(headers);
        if (made.chunks().isEmpty()) {
            return response.build();
        }
        if (made.chunks().size() == 1) {
            return response.body(made.chunks().get(0));
        }
        StreamingResponseBody body = out -> {
            for (byte[] chunk : made.chunks()) {
                out.write(chunk);
                out.flush();
            }
        };
        return response.body(body);
    }
}
