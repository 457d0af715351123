package dev.semel.torture.node;

import dev.semel.Outcome;
import dev.semel.policy.Retention;
import dev.semel.spi.Claim;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.ForwardingKeyStore;
import dev.semel.spi.KeyStore;
import dev.semel.spi.Lease;
import dev.semel.spi.TransactionJoining;
import java.sql.Connection;

/** A store that passes everything on, also what it does in transactions, for those that change one thing of these. */
class JoiningStore extends ForwardingKeyStore implements TransactionJoining<Connection> {

    JoiningStore(KeyStore store) {
        super(store);
    }

    @Override
    public Class<Connection> transactionType() {
        return Connection.class;
    }

    @Override
    public Claim claim(Connection transaction, ClaimRequest request) {
        return joining().claim(transaction, request);
    }

    @Override
    public boolean settle(Connection transaction, Lease lease, Outcome outcome, Retention retention) {
        return joining().settle(transaction, lease, outcome, retention);
    }

    @Override
    public boolean isTransient(Throwable failure) {
        return joining().isTransient(failure);
    }

    @SuppressWarnings("unchecked")
    private TransactionJoining<Connection> joining() {
        return require(TransactionJoining.class);
    }
}
