package dev.semel.gateway.kill;

/** When a gateway is killed: each stands for another place in its code, and for what comes a little later. */
enum KillMoment {
    /** A client sends a request: before or while the key is claimed. */
    SENT,
    /** A request reaches the upstream: others of the same group of claims are not forwarded yet. */
    ARRIVED,
    /** The upstream is at work. */
    WORKING,
    /** The upstream has answered: before, while or after the key is settled. */
    ANSWERED,
    /** A client has an answer: others of the same group of settles do not. */
    REPLIED
}
