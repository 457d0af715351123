package dev.semel.gateway.limits;

/** The share of the {@link Budget} of one request and its response. Used on one event loop. */
public final class BudgetShare {

    private final Budget budget;
    private final Runnable released;
    private long request;
    private long response;

    /** @param released runs when everything has been given back, possibly more than once */
    public BudgetShare(Budget budget, Runnable released) {
        this.budget = budget;
        this.released = released;
    }

    /** Whether the request may take this much in all. */
    public boolean growRequest(long bytes) {
        if (!budget.tryTakeForRequest(request, bytes - request)) {
            return false;
        }
        request = bytes;
        return true;
    }

    /** Whether the response may take this much in all. */
    public boolean growResponse(long bytes) {
        if (!budget.tryTakeForResponse(response, bytes - response)) {
            return false;
        }
        response = bytes;
        return true;
    }

    /** Releases the memory that the response no longer needs. */
    public void shrinkResponse(long bytes) {
        budget.give(response - bytes);
        response = bytes;
    }

    public void giveRequest() {
        budget.give(request);
        request = 0;
    }

    public void giveAll() {
        giveRequest();
        shrinkResponse(0);
        released.run();
    }
}
