package dev.semel.examples.recipes;

import dev.semel.Execution;
import dev.semel.ExternalOperation;
import dev.semel.Fingerprint;
import dev.semel.Key;
import dev.semel.NoValueException;
import dev.semel.OperationFailedException;
import dev.semel.OutcomeCodec;
import dev.semel.Semel;
import dev.semel.policy.Policy;
import java.util.List;

/** Takes many payouts in one request; each has its own key. */
final class BulkEndpoint {

    record Payout(String key, String account, long cents) {}

    record Result(String key, int status, String text) {}

    /** Pays, unless it has paid under this key before. */
    interface Bank {

        String pay(Payout payout, String key);
    }

    /** The bank does not take it. */
    static final class RefusedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }

    private final ExternalOperation<String> payout;
    private final Bank bank;

    BulkEndpoint(Semel semel, Bank bank) {
        this.payout = semel.operation(Policy.external("payout").build(), OutcomeCodec.text());
        this.bank = bank;
    }

    List<Result> pay(String caller, List<Payout> items) {
        return items.stream().map(item -> pay(caller, item)).toList();
    }

    // quoted: item
    private Result pay(String caller, Payout item) {
        try {
            Execution<String> execution = payout.run(
                    Key.of(caller, item.key()),
                    Fingerprint.of(item.account(), Long.toString(item.cents())),
                    attempt -> bank.pay(item, attempt.childKey("pay")));
            return new Result(item.key(), 200, execution.get());
        } catch (RefusedException | OperationFailedException e) {
            return new Result(item.key(), 402, e.getMessage()); // now, or when it was sent first
        } catch (NoValueException e) {
            int status = e.execution() instanceof Execution.Mismatched ? 422 : 409;
            return new Result(item.key(), status, e.getMessage());
        }
    }
    // end
}
