package dev.semel.spring;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Operations that two classes have from one, each under a name of its own. */
abstract class Inherited {

    private final AtomicInteger runs = new AtomicInteger();

    public String handle(String id) {
        return getClass().getSimpleName().replaceAll("\\$.*", "") + " " + id + " in run " + runs.incrementAndGet();
    }

    static class Charge extends Inherited {

        @Idempotent(value = "Charge.handle", key = "#id")
        @Override
        public String handle(String id) {
            return super.handle(id);
        }
    }

    static class Refund extends Inherited {

        @Idempotent(value = "Refund.handle", key = "#id")
        @Override
        public String handle(String id) {
            return super.handle(id);
        }
    }

    abstract static class Handlers {

        private final String name;
        private final AtomicInteger runs = new AtomicInteger();

        Handlers(String name) {
            this.name = name;
        }

        String run(String id) {
            return name + " " + id + " in run " + runs.incrementAndGet();
        }
    }

    @RestController
    @RequestMapping("/inherited/charges")
    static class Charges extends Handlers {

        Charges() {
            super("charge");
        }

        @Idempotent(value = "Charges.run", key = "#id")
        @PostMapping("/{id}")
        @Override
        String run(@PathVariable String id) {
            return super.run(id);
        }
    }

    @RestController
    @RequestMapping("/inherited/refunds")
    static class Refunds extends Handlers {

        Refunds() {
            super("refund");
        }

        @Idempotent(value = "Refunds.run", key = "#id")
        @PostMapping("/{id}")
        @Override
        String run(@PathVariable String id) {
            return super.run(id);
        }
    }
}
