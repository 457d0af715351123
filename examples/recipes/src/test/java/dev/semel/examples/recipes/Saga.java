package dev.semel.examples.recipes;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.policy.ExternalPolicy;
import dev.semel.policy.Policy;
import dev.semel.policy.Recovery;

/** Books a flight and a room, and gives the flight back when there is no room. */
final class Saga {

    /** An airline that knows the keys that it was sent. */
    interface Airline {

        String book(String trip, String key);

        String cancel(String flight, String key);
    }

    /** A hotel that knows the keys that it was sent; the answer is empty if there is no room. */
    interface Hotel {

        String book(String trip, String key);
    }

    /** There is no trip, and no flight either. */
    static final class NoRoomException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        NoRoomException(String trip) {
            super("no room for " + trip);
        }
    }

    private final ExternalOperation<String> bookTrip;
    private final Airline airline;
    private final Hotel hotel;

    Saga(Semel semel, Airline airline, Hotel hotel) {
        this.airline = airline;
        this.hotel = hotel;
        // quoted: operation
        ExternalPolicy policy =
                Policy.external("book-trip").recovery(Recovery.RE_EXECUTE).build();
        ExternalOperation<String> bookTrip = semel.operation(policy, OutcomeCodec.text());
        // end
        this.bookTrip = bookTrip;
    }

    String book(String customer, String trip) throws Exception {
        // quoted: run
        Execution<String> execution = bookTrip.run(Key.of(customer, trip), Fingerprint.of(trip), attempt -> {
            String flight = attempt.step("flight", Codec.text(), () -> airline.book(trip, attempt.childKey("flight")));
            String room = attempt.step("room", Codec.text(), () -> hotel.book(trip, attempt.childKey("room")));
            if (room.isEmpty()) {
                attempt.step("cancel", Codec.text(), () -> airline.cancel(flight, attempt.childKey("cancel")));
                throw new NoRoomException(trip); // the outcome: every retry gets it
            }
            return flight + ", " + room;
        });
        return execution.get();
        // end
    }
}
