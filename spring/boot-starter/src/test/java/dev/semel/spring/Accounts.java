package dev.semel.spring;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** A controller that is annotated as a whole. */
@RestController
@RequestMapping("/annotated")
@Idempotent("accounts")
class Accounts {

    private final AtomicInteger runs = new AtomicInteger();

    @PostMapping("/open")
    String open(@RequestBody String body) {
        return "opened in run " + runs.incrementAndGet();
    }

    @PostMapping("/close/{account}")
    @Idempotent(value = "close", key = "#account")
    String close(@PathVariable String account) {
        return "closed in run " + runs.incrementAndGet();
    }

    @GetMapping("/runs")
    String runs() {
        return "" + runs.get();
    }
}
