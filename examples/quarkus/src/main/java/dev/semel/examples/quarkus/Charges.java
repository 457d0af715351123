package dev.semel.examples.quarkus;

import dev.semel.rest.Idempotent;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.sql.SQLException;

/** Charges a card once per key, however often the request arrives. */
@Path("charges")
public class Charges {

    private final CardProcessor processor;

    @Inject
    public Charges(CardProcessor processor) {
        this.processor = processor;
    }

    @POST
    @Idempotent("charge")
    public String charge(String order) throws SQLException {
        return "charged " + order + ", receipt " + processor.charge(order);
    }

    /** The same without a thread that waits for the processor. */
    @POST
    @Path("later")
    @Idempotent("charge-later")
    public Uni<String> chargeLater(String order) {
        return processor.chargeLater(order).map(receipt -> "charged " + order + ", receipt " + receipt);
    }
}
