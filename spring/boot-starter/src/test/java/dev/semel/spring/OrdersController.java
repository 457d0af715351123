package dev.semel.spring;

import dev.semel.Attempt;
import dev.semel.NoValueException;
import dev.semel.policy.Mode;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Handlers whose writes and whose response are one commit. */
@RestController
class OrdersController {

    private final Orders orders;

    OrdersController(Orders orders) {
        this.orders = orders;
    }

    @Idempotent(value = "place", mode = Mode.TRANSACTIONAL)
    @Transactional
    @PostMapping("/place")
    @ResponseStatus(HttpStatus.CREATED)
    public Orders.Receipt place(@RequestBody Orders.Order order, Attempt attempt) {
        return orders.insert(order);
    }

    @Idempotent(value = "place-at-once", mode = Mode.SINGLE_TRANSACTION)
    @PostMapping("/place-at-once")
    public ResponseEntity<Orders.Receipt> placeAtOnce(@RequestBody Orders.Order order) {
        Orders.Receipt receipt = orders.insert(order);
        return ResponseEntity.created(URI.create("/orders/" + receipt.run())).body(receipt);
    }

    @Idempotent(value = "place-and-undo", mode = Mode.TRANSACTIONAL)
    @Transactional
    @PostMapping("/place-and-undo")
    public Orders.Receipt placeAndUndo(@RequestBody Orders.Order order) {
        Orders.Receipt receipt = orders.insert(order);
        if (receipt.run() == 1) {
            TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
        }
        return receipt;
    }

    @Idempotent(value = "place-and-complain", mode = Mode.TRANSACTIONAL)
    @PostMapping("/place-and-complain")
    public void placeAndComplain(@RequestBody Orders.Order order, HttpServletResponse response) throws IOException {
        orders.insert(order);
        response.sendError(409, "placed, but late");
    }

    @Idempotent(value = "place-rendered", mode = Mode.TRANSACTIONAL)
    @PostMapping("/place-rendered")
    public String placeRendered(@RequestBody Orders.Order order) {
        int run = orders.insert(order).run();
        if (run == 1) {
            throw new UnsupportedOperationException("run " + run);
        }
        return "run " + run;
    }

    /** Claims inside a transaction of its own, and goes on when the keys are taken; returns how many were. */
    @Transactional
    @PostMapping("/claim-inside")
    public int claimInside(@RequestBody Orders.Order order) {
        Orders.Order own = new Orders.Order(order.number() + "-own", 1);
        orders.insert(own);
        int taken = isTaken(() -> orders.placeInOne(order));
        orders.insert(own);
        return taken;
    }

    private static int isTaken(Runnable call) {
        try {
            call.run();
            return 0;
        } catch (NoValueException taken) {
            return 1;
        }
    }

    @ExceptionHandler
    ResponseEntity<String> render(UnsupportedOperationException failure) {
        return ResponseEntity.status(500).body("rendered " + failure.getMessage());
    }

    @Idempotent(value = "place-large", mode = Mode.TRANSACTIONAL)
    @PostMapping("/place-large")
    public String placeLarge(@RequestBody Orders.Order order) {
        orders.insert(order);
        return "x".repeat(2 << 20);
    }
}
