package dev.semel.spring;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Operations that two classes have from one. */
abstract class Inherited {

    private final AtomicInteger runs = new AtomicInteger();

    @Idempotent(key = "#id")
    public String handle(String id) {
        return getClass().getSimpleName().replaceAll("\\$.*", "") + " " + id + " in run " + runs.incrementAndGet();
    }

    static class Charge extends Inherited {}

    static class Refund extends Inherited {}

    abstract static class Handlers {

        private final String name;
        private final AtomicInteger runs = new AtomicInteger();

        Handlers(String name) {
            this.name = name;
        }

        @Idempotent(key = "#id")
        @PostMapping("/{id}")
        String run(@PathVariable String id) {
            return name + " " + id + " in run " + runs.incrementAndGet();
        }
    }

    @RestController
    @RequestMapping("/inherited/charges")
    static class Charges extends Handlers {

        Charges() {
            super("charge");
        }
    }

    @RestController
    @RequestMapping("/inherited/refunds")
    static class Refunds extends Handlers {

        Refunds() {
            super("refund");
        }
    }
}
