/*
 * The life of a key: claim, lease, fence, settle, release, abandon, lapse, resolve, expiry and purge.
 *
 * Two owners (nodes) make CALLS calls each, over two keys. Every interleaving is explored: an owner may crash between
 * any two of its steps, or stall for any time; the answer of a store call may get lost, so that the call is sent again;
 * and an older copy of a call may arrive at any later time. The clock is the store's: a lease may lapse and a retention
 * may pass at any moment, which covers every length of time.
 *
 * The methods of the store are atomic here, as the interface demands. How a store with generations keeps its claim
 * atomic is in rotation.pml.
 *
 * Choose with -D:
 *   RE_EXECUTE      the next claim may take over a lapsed lease; without it the policy is HOLD
 *   TRANSACTIONAL   the effect and the settle are one commit; includes RE_EXECUTE
 *   BREAK_...       one mistake, explained where it is made
 *   ONLY=name       judge one guarantee alone, for example G5_one_effect; without it, all of them
 *   WITNESS=n       report the n-th of the things that should be possible, as if it were a mistake
 */

#ifndef CALLS_A
#define CALLS_A 2
#endif
#ifndef CALLS_B
#define CALLS_B 1
#endif
#ifndef ONLY
#define ONLY all
#endif
#ifndef WITNESS
#define WITNESS 0
#endif

#define OWNERS 2
#define KEYS 2
#define LIVES 2 /* of a key: the second begins when the retention of the first has passed */
#ifndef EXPIRIES
#define EXPIRIES 1
#endif

#ifdef TRANSACTIONAL
#define RE_EXECUTE
#endif
#ifdef RE_EXECUTE
#define TAKE_OVER true
#define START Running
#else
#define TAKE_OVER false
#define START Starting
#endif

/* The outcome that an attempt stores is its token. This one is the operator's. */
#define BY_OPERATOR 15

mtype = { absent, pending, unknown, settled };              /* what a row is */
mtype = { acquired, refused, replayed };                    /* what a claim answers */
mtype = { nothing, claimCopy, settleCopy, releaseCopy, delivered };/* what may be under way to the store */
mtype = { undecided, forgets, settles };                    /* what the operator is about to do */

/* ---- What the store keeps */

typedef Row {
    mtype state;
    byte nonce;
    byte token;
    byte attempt;
    bit live;      /* the lease has not lapsed */
    bit expired;   /* settled, and the retention has passed */
    byte outcome;
    byte lockedBy  /* 1 + the owner whose open transaction has settled the row */
}

Row row[KEYS];
byte lastToken[KEYS];

/* ---- What the network holds back: one copy of one call, which may arrive at any time, or never.
   A call whose answer is lost is one whose copy arrives at once, and which is then sent again. */

typedef Copy {
    mtype kind;
    byte forKey;
    byte nonce;
    byte token
}

Copy copy;

/* ---- What only the judge knows. Nothing of it decides anything in the store. */

byte life[KEYS];            /* grows when a retention passes: from then on a claim means a new operation */
byte holder[KEYS];          /* the token of the lease that is entitled to write; 0 if there is none */
byte holderNonce[KEYS];
bit holderLive[KEYS];
byte largestToken[KEYS];
byte attempts[KEYS];        /* how many may have run, in this life */
byte effects[KEYS * LIVES];
byte told[KEYS * LIVES];    /* the outcome that somebody was told; 0 for none */
byte mayRun[OWNERS];        /* 1 + the key on which this owner may still have an effect; 0 for none */

/* The system behind the operation, which remembers the largest token it has seen. */
byte downstream[KEYS];

/* Always true. They are here for their names, which a violated assertion shows. */
bit G1_one_owner = 1;
bit G2_stable_replay = 1;
bit G3_no_zombies = 1;
bit G3_token_grows = 1;
bit G5_announced = 1;
bit G5_one_effect = 1;
bit G7_nothing_lost = 1;
bit G8_safe_to_repeat = 1;
bit G9_own_outcome = 1;
bit impossible = 1;

#define ID_all 0
#define ID_G1_one_owner 1
#define ID_G2_stable_replay 2
#define ID_G3_no_zombies 3
#define ID_G3_token_grows 4
#define ID_G5_announced 5
#define ID_G5_one_effect 6
#define ID_G7_nothing_lost 7
#define ID_G8_safe_to_repeat 8
#define ID_G9_own_outcome 9
#define PASTE(name) ID_##name
#define ID(name) PASTE(name)

#define JUDGE(name, condition) \
    if \
    :: (ID(ONLY) == 0 || ID(ONLY) == ID(name)) && !(condition) -> name = 0; assert(name) \
    :: else \
    fi

/* A model in which nothing can happen violates nothing. These are the things that must be able to happen. */
#define POSSIBLE(number, condition) \
    if \
    :: WITNESS == number && (condition) -> impossible = 0; assert(impossible) \
    :: else \
    fi

#define IN(k, ofLife) ((k) * LIVES + (ofLife))

inline tell(k, ofLife, result) {
    JUDGE(G2_stable_replay, told[IN(k, ofLife)] == 0 || told[IN(k, ofLife)] == result);
    told[IN(k, ofLife)] = result
}

inline nobodyHolds(k) {
    holder[k] = 0;
    holderNonce[k] = 0;
    holderLive[k] = 0
}

/* ---- The fence: who may write. */

#ifdef BREAK_FENCE_BY_NONCE
/* An old copy of a claim can win the key again, with the nonce of an attempt that lost it: only the token tells. */
#define OWNS(k, n, t) (row[k].nonce == n)
#else
#define OWNS(k, n, t) (row[k].nonce == n && row[k].token == t)
#endif

#define UNSETTLED(k) (row[k].state == pending || row[k].state == unknown)
#define LAPSED(k) (row[k].state == pending && !row[k].live)
#define FREE(k) (row[k].lockedBy == 0)

#if defined BREAK_SETTLE_WITHOUT_FENCE
/* Any attempt may settle a key that has no outcome yet. */
#define MAY_SETTLE(k, n, t) (UNSETTLED(k) || OWNS(k, n, t))
#elif defined BREAK_LATE_SETTLE_AFTER_TAKEOVER
/* "Late, but the lease has lapsed, so nobody is at work": it may be another attempt's lease that has lapsed. */
#define MAY_SETTLE(k, n, t) (LAPSED(k) || OWNS(k, n, t))
#elif defined BREAK_LATE_SETTLE_REFUSED
/* A lapsed lease counts as lost although nobody took it: the one who knows the truth is not heard. */
#define MAY_SETTLE(k, n, t) (OWNS(k, n, t) && (row[k].live || row[k].state == settled))
#elif defined BREAK_SETTLE_NOT_REPEATABLE
/* The second copy of a settle finds the row settled, and takes its own outcome for another's. */
#define MAY_SETTLE(k, n, t) (OWNS(k, n, t) && UNSETTLED(k))
#else
#define MAY_SETTLE(k, n, t) (OWNS(k, n, t))
#endif

#ifdef BREAK_RELEASE_WITHOUT_FENCE
/* Delete by key: a stalled owner deletes its successor's claim. */
#define MAY_RELEASE(k, n, t) UNSETTLED(k)
#else
#define MAY_RELEASE(k, n, t) (OWNS(k, n, t) && UNSETTLED(k))
#endif

#ifdef BREAK_RENEW_WITHOUT_CHECK
/* Extend by key: a stalled owner keeps its successor's lease alive and believes that it is its own. */
#define MAY_RENEW(k, n, t) (row[k].state == pending)
#else
#define MAY_RENEW(k, n, t) (OWNS(k, n, t) && row[k].state == pending)
#endif

#ifdef BREAK_CLAIM_WITHOUT_NONCE
/* The claim that is sent again takes its own row for another's. */
#define FINDS_ITSELF(k, n) false
#else
#define FINDS_ITSELF(k, n) (row[k].state == pending && row[k].nonce == n)
#endif

/* ---- The methods of the store */

inline clear(k) {
    row[k].state = absent;
    row[k].nonce = 0;
    row[k].token = 0;
    row[k].attempt = 0;
    row[k].live = 0;
    row[k].expired = 0;
    row[k].outcome = 0
}

inline acquire(k, n, number) {
#ifdef BREAK_TOKEN_KEPT_IN_ROW
    /* The counter dies with the row, and the next life of the key starts below tokens that are already known. */
    row[k].token = row[k].token + 1;
#else
    lastToken[k] = lastToken[k] + 1;
    row[k].token = lastToken[k];
#endif
    row[k].attempt = number;
    row[k].state = pending;
    row[k].nonce = n;
    row[k].live = 1;
    row[k].expired = 0;
    row[k].outcome = 0;

    POSSIBLE(1, life[k] == 1);           /* a key is used anew after its retention */
    POSSIBLE(2, row[k].attempt == 2);                   /* a lapsed lease is taken over */
    JUDGE(G1_one_owner, !holderLive[k]);
    JUDGE(G3_token_grows, row[k].token > largestToken[k]);
    JUDGE(G5_announced, row[k].attempt == attempts[k] + 1);
    JUDGE(G7_nothing_lost, told[IN(k, life[k])] == 0);
    largestToken[k] = row[k].token;
    attempts[k] = row[k].attempt;
    holder[k] = row[k].token;
    holderNonce[k] = n;
    holderLive[k] = 1
}

/* KeyStore.claim. Sets reply, and token and attempt if it is acquired. */
inline claim(k, n, mayTakeOver) {
    d_step {
        if
        :: row[k].state == absent || (row[k].state == settled && row[k].expired) ->
            acquire(k, n, 1);
            reply = acquired
        :: else ->
            if
            :: FINDS_ITSELF(k, n) ->
                reply = acquired
            :: else ->
                if
                :: LAPSED(k) && mayTakeOver ->
                    acquire(k, n, row[k].attempt + 1);
                    reply = acquired
                :: else ->
                    if
                    :: row[k].state == settled ->
                        POSSIBLE(3, told[IN(k, life[k])] == row[k].outcome); /* the same outcome is told again */
                        tell(k, life[k], row[k].outcome);
                        reply = replayed
                    :: else ->
                        JUDGE(G7_nothing_lost, told[IN(k, life[k])] == 0);
                        JUDGE(G8_safe_to_repeat, !(row[k].state == pending && holderNonce[k] == n));
                        reply = refused
                    fi
                fi
            fi
        fi;
        if
        :: reply == acquired -> token = row[k].token; attempt = row[k].attempt
        :: else
        fi;
        printf("  store: claim of key %d with nonce %d: %e, token %d, attempt %d\n", k, n, reply, token, attempt)
    }
}

/* KeyStore.settle. Sets accepted. */
inline settle(k, n, t) {
    d_step {
        accepted = MAY_SETTLE(k, n, t);
        if
        :: accepted ->
            JUDGE(G3_no_zombies, holder[k] == t);
            POSSIBLE(4, LAPSED(k));                     /* a late settle, and nobody has taken over */
            POSSIBLE(5, row[k].state == unknown);       /* the owner settles what was given up as unknown */
            if
            :: UNSETTLED(k) ->
                JUDGE(G9_own_outcome, downstream[k] == t);
                row[k].state = settled;
                row[k].live = 0;
                row[k].outcome = t;
                holderLive[k] = 0
            :: else
            fi
        :: else ->
            POSSIBLE(6, row[k].state == pending && row[k].token > t); /* a zombie is refused */
            JUDGE(G7_nothing_lost, !(holder[k] == t && UNSETTLED(k)));
            JUDGE(G8_safe_to_repeat, !(holder[k] == t && row[k].state == settled))
        fi;
        printf("  store: settle of key %d with token %d: %d\n", k, t, accepted)
    }
}

/* KeyStore.release. Sets accepted. The releasing attempt had no effect; those before it may have had one. */
inline release(k, n, t) {
    d_step {
        accepted = MAY_RELEASE(k, n, t);
        if
        :: accepted ->
            JUDGE(G3_no_zombies, holder[k] == t);
#ifdef TRANSACTIONAL
            /* What did not commit did not happen. */
            attempts[k] = 0;
#else
            attempts[k] = row[k].attempt - 1;
#endif
            nobodyHolds(k);
            clear(k)
        :: else
        fi;
        printf("  store: release of key %d with token %d: %d\n", k, t, accepted)
    }
}

inline markUnknown(k) {
    row[k].state = unknown;
    row[k].live = 0;
    holderLive[k] = 0;
#ifdef BREAK_UNKNOWN_DROPS_NONCE
    /* The owner that is merely slow can no longer tell what it knows. */
    row[k].nonce = 0
#endif
}

/* KeyStore.abandon */
inline abandon(k, n, t) {
    d_step {
        if
        :: OWNS(k, n, t) && UNSETTLED(k) ->
            JUDGE(G3_no_zombies, holder[k] == t);
            markUnknown(k);
            printf("  store: key %d is abandoned\n", k)
        :: else
        fi
    }
}

/* KeyStore.renew. Sets accepted. */
inline renew(k, n, t) {
    d_step {
        accepted = MAY_RENEW(k, n, t);
        if
        :: accepted ->
            JUDGE(G3_no_zombies, holder[k] == t);
            row[k].live = 1;
            holderLive[k] = 1
        :: else
        fi;
        printf("  store: renewal of key %d with token %d: %d\n", k, t, accepted)
    }
}

/* ---- An owner */

/* The effect on a system outside the store. */
inline haveEffect(k) {
    d_step {
#ifdef RE_EXECUTE
        if
#ifdef BREAK_TOKEN_NOT_PASSED_ON
        /* Nothing stops the effect of an attempt that was given up and comes after that of its successor. */
        :: true ->
#else
        :: token > downstream[k] ->
#endif
            POSSIBLE(7, effects[IN(k, born)] == 1);      /* a second effect, announced */
            JUDGE(G5_one_effect, effects[IN(k, born)] == 0 || (attempt > 1 && token > downstream[k]));
            effects[IN(k, born)] = effects[IN(k, born)] + 1;
            downstream[k] = token;
            printf("owner %d: effect on key %d with token %d, attempt %d\n", me, k, token, attempt)
        :: else ->
            printf("owner %d: effect on key %d with token %d refused downstream\n", me, k, token)
        fi;
#else
        JUDGE(G5_one_effect, effects[IN(k, born)] == 0);
        effects[IN(k, born)] = effects[IN(k, born)] + 1;
        if
        :: token > downstream[k] -> downstream[k] = token
        :: else
        fi;
        printf("owner %d: effect on key %d with token %d, attempt %d\n", me, k, token, attempt);
#endif
        mayRun[me] = 0;
#ifdef BREAK_ANSWER_BEFORE_SETTLE
        tell(k, born, token);
#endif
    }
}

/* The effect and the outcome become visible together. */
inline commit(k) {
    d_step {
        POSSIBLE(9, attempt == 2 && row[k].live == 0);  /* a takeover commits, late */
        JUDGE(G3_no_zombies, holder[k] == token);
        JUDGE(G5_one_effect, effects[IN(k, born)] == 0);
        effects[IN(k, born)] = effects[IN(k, born)] + 1;
        row[k].state = settled;
        row[k].live = 0;
        row[k].outcome = token;
        row[k].lockedBy = 0;
        holderLive[k] = 0;
        printf("owner %d: commits the effect on key %d and its settle, token %d\n", me, k, token)
    }
}

inline rollBack(k) {
    d_step {
        row[k].lockedBy = 0;
        printf("owner %d: its transaction on key %d is rolled back\n", me, k)
    }
}

inline holdBack(what) {
    d_step {
        copy.kind = what;
        copy.forKey = k;
        copy.nonce = nonce;
        copy.token = token;
        printf("owner %d: a %e of key %d with nonce %d is under way\n", me, what, k, nonce)
    }
}

proctype Owner(byte me; byte nonce; byte lastNonce) {
    byte k, token, attempt, born;
    mtype reply;
    bit accepted;

Next: /* Also where a crash leads: nothing of the call before is left, and the next call has a new nonce. */
    atomic {
        mayRun[me] = 0; k = 0; token = 0; attempt = 0; born = 0; reply = 0; accepted = 0;
        if
        :: nonce == lastNonce ->
            nonce = 0;
            goto Done
        :: else ->
            nonce++;
            if
            :: k = 0
#ifndef ONE_KEY
            :: nonce > 1 -> k = 1 /* the keys are alike, so the very first call may as well take key 0 */
#endif
            fi;
#ifdef RE_EXECUTE
            mayRun[me] = k + 1;
#endif
            printf("owner %d: call with nonce %d for key %d\n", me, nonce, k)
        fi
    }

Claiming: /* A claim that is refused changes nothing, so a duplicate that waits is one that sends its claim later. */
    if
#ifdef BREAK_RUN_BEFORE_CLAIM
    /* "The claim will be written any moment": another node is as sure of it. */
    :: atomic { born = life[k]; haveEffect(k); goto Next }
#endif
    :: atomic {
        FREE(k) -> claim(k, nonce, TAKE_OVER);
        if
        :: reply == acquired -> reply = 0; born = life[k]; goto START
        :: else -> goto Next
        fi
       }
    :: atomic { copy.kind == nothing -> holdBack(claimCopy); goto Claiming }
    :: atomic { mayRun[me] = 0; goto Orphaned } /* out of patience: the caller was told that nothing was executed */
    :: goto Next
    fi;

Orphaned: /* Orphans: undo a claim whose answer never came. */
    if
    :: atomic {
        FREE(k) -> claim(k, nonce, false);
        if
        :: reply == acquired && attempt == 1 -> reply = 0; goto Releasing
        :: else -> goto Next
        fi
       }
    :: goto Next
    fi;

#ifndef RE_EXECUTE
Starting: /* The operation waits for a thread. It has not begun, and before it does, its owner asks for its lease. */
    if
#ifdef BREAK_NO_ASK_BEFORE_START
    /* "The lease was held when it was claimed": what was true before a wait need not be true behind it. */
    :: atomic { mayRun[me] = k + 1; goto Running }
#else
    :: atomic {
        POSSIBLE(10, OWNS(k, nonce, token) && LAPSED(k));   /* the lease lapses before the start, and is still there */
        POSSIBLE(11, !OWNS(k, nonce, token));               /* somebody has decided meanwhile */
        renew(k, nonce, token);
        if
        :: accepted -> accepted = 0; mayRun[me] = k + 1; goto Running
        :: else -> goto Next
        fi
       }
#endif
    :: atomic { attempt == 1 -> goto Releasing } /* no thread is to be had, so nothing was executed */
    :: goto Next
    fi;
#endif

Running: /* Abandoned, or left to lapse, when something around it fails: then nobody can tell what it did. */
    if
    :: atomic { FREE(k) -> renew(k, nonce, token);
        if
        :: accepted -> accepted = 0; goto Running
        :: else -> goto Next
        fi
       }
#ifdef TRANSACTIONAL
#ifdef BREAK_TRANSACTION_CHECKS_WITHOUT_LOCK
    /* A plain read sees that the lease is held, and does not keep it so until the commit. */
    :: atomic { FREE(k) && OWNS(k, nonce, token) && UNSETTLED(k) -> goto Committing }
#else
    :: atomic { FREE(k) && OWNS(k, nonce, token) && UNSETTLED(k) -> row[k].lockedBy = me + 1; goto Committing }
#endif
    :: atomic { FREE(k) && !(OWNS(k, nonce, token) && UNSETTLED(k)) -> goto Next } /* LeaseLostException, rolled back */
    :: atomic { mayRun[me] = 0; goto Releasing }
#else
    :: atomic { haveEffect(k); goto Settling }
#ifdef BREAK_STORES_FOREIGN_FAILURE
    /* "It threw, so it failed": but what failed was something around the operation, which has not ended by itself. */
    :: atomic { mayRun[me] = 0; goto Settling }
#endif
#ifdef BREAK_RELEASE_AFTER_TAKEOVER
    /* The attempt before may have run; once the key is forgotten, the next one does not learn of it. */
    :: atomic { mayRun[me] = 0; goto Releasing }
#else
    :: atomic { attempt == 1 -> mayRun[me] = 0; goto Releasing } /* not executed; a later attempt lets its lease lapse */
#endif
    :: atomic { FREE(k) -> abandon(k, nonce, token); goto Next }
#endif
    :: goto Next
    fi;

#ifdef TRANSACTIONAL
Committing: /* Nobody can write to the row, until the transaction ends. */
    if
    :: atomic { commit(k); tell(k, born, token); goto Next }
    :: atomic { commit(k); goto Looking } /* the acknowledgement is lost */
    :: atomic { rollBack(k); goto Looking }
    :: atomic { commit(k); goto Next }
    :: atomic { rollBack(k); goto Next }
    fi;

Looking: /* SettlingTransaction.wasCommitted: the key tells what became of the transaction. */
    if
    :: atomic {
        FREE(k) -> claim(k, nonce, false);
        if
        :: reply == acquired -> reply = 0; mayRun[me] = 0; goto Releasing
        :: else -> goto Next
        fi
       }
    :: goto Next
    fi;
#else
Settling:
    if
    :: atomic {
        FREE(k) -> settle(k, nonce, token);
        if
        :: accepted -> tell(k, born, token); goto Next
        :: else -> goto Next
        fi
       }
    :: atomic { copy.kind == nothing -> holdBack(settleCopy); goto Settling }
    :: atomic { FREE(k) -> abandon(k, nonce, token); goto Next }
    :: goto Next
    fi;
#endif

Releasing:
    if
    :: atomic { FREE(k) -> release(k, nonce, token); goto Next }
    :: atomic { copy.kind == nothing -> holdBack(releaseCopy); goto Releasing }
    :: goto Next
    fi;

Done:
    skip
}

/* ---- The network: delivers what it held back. Nobody listens to the answer any more. */

proctype Network() {
    byte k, nonce, sent, token, attempt;
    mtype reply;
    bit accepted;

end:
    atomic {
        copy.kind != nothing && FREE(copy.forKey) ->
        printf("network: delivers the %e\n", copy.kind);
        k = copy.forKey; nonce = copy.nonce; sent = copy.token;
        if
        :: copy.kind == claimCopy -> claim(k, nonce, TAKE_OVER)
        :: copy.kind == settleCopy -> settle(k, nonce, sent)
        :: copy.kind == releaseCopy -> release(k, nonce, sent)
        fi;
        copy.kind = delivered; copy.forKey = 0; copy.nonce = 0; copy.token = 0;
        k = 0; nonce = 0; sent = 0; token = 0; attempt = 0; reply = 0; accepted = 0
    }
}

/* ---- What happens to a key by itself: time passes, the maintenance comes by, somebody decides over it. */

#define RESOLVABLE(k) (LAPSED(k) || row[k].state == unknown)

#if defined RE_EXECUTE || defined BREAK_FORGET_OF_LAPSED
/* The owner of a key that is merely lapsed may still ask for its lease, get it, and start: after the operator's look. */
#define CANNOT_START(k) true
#else
#define CANNOT_START(k) (row[k].state == unknown)
#endif

#ifdef BREAK_FORGET_WHILE_RUNNING
/* "It was not executed" is true and yet wrong, because the owner is only slow, and about to execute it. */
#define NOT_EXECUTED(k) (effects[IN(k, life[k])] == 0 && CANNOT_START(k))
#else
#define NOT_EXECUTED(k) \
    (effects[IN(k, life[k])] == 0 && CANNOT_START(k) && mayRun[0] != k + 1 && mayRun[1] != k + 1)
#endif

#ifdef BREAK_RESOLVE_WITHOUT_TOKEN
/* What was found out about one attempt is applied to the next. */
#define SAME_ATTEMPT(k) true
#else
#define SAME_ATTEMPT(k) (row[k].token == seen)
#endif

/* Somebody looks at a key that is lapsed or unknown, and decides over it later, once. */
proctype Operator() {
    byte k, seen;
    mtype decision;

end:
    atomic {
        if
        :: RESOLVABLE(0)
        :: RESOLVABLE(1) -> k = 1
        fi;
        if
        :: NOT_EXECUTED(k) -> decision = forgets
        :: decision = settles
        fi;
        seen = row[k].token;
        printf("operator: looks at key %d and decides: %e\n", k, decision)
    }

    d_step {
        FREE(k) ->
        if
        :: RESOLVABLE(k) && SAME_ATTEMPT(k) && decision == forgets ->
            POSSIBLE(8, row[k].state == unknown);       /* what did not happen is forgotten */
            printf("operator: forgets key %d\n", k);
            attempts[k] = 0;
            nobodyHolds(k);
            clear(k)
        :: RESOLVABLE(k) && SAME_ATTEMPT(k) && decision == settles ->
            printf("operator: settles key %d\n", k);
            row[k].state = settled;
            row[k].live = 0;
            row[k].outcome = BY_OPERATOR;
#ifndef BREAK_RESOLVE_KEEPS_NONCE
            /* Otherwise the owner, should it still live, would take this outcome for its own. */
            row[k].nonce = 0;
#endif
            nobodyHolds(k)
        :: else
        fi;
        k = 0; seen = 0; decision = 0
    }
}

proctype Time(byte k) {
end:
    do
    :: d_step { row[k].state == pending && row[k].live ->
        row[k].live = 0; holderLive[k] = 0; printf("time: the lease of key %d lapses\n", k) }
    :: d_step { row[k].state == settled && !row[k].expired && life[0] + life[1] < EXPIRIES ->
        row[k].expired = 1; life[k] = life[k] + 1; attempts[k] = 0; printf("time: key %d expires\n", k) }
    :: d_step { row[k].state == settled && row[k].expired && FREE(k) ->
        clear(k); nobodyHolds(k); printf("purge: removes expired key %d\n", k) }
#ifndef RE_EXECUTE
    :: d_step { LAPSED(k) && FREE(k) -> markUnknown(k); printf("maintenance: holds key %d\n", k) }
#endif
#if defined BREAK_TTL_ON_PENDING
    /* One time to live for lease and retention: the key can vanish under a running operation. */
    :: d_step { row[k].state == pending && FREE(k) -> clear(k); printf("time: key %d is gone\n", k) }
#elif defined BREAK_PURGE_OF_PENDING
    /* "Nobody has been at work on it for long": but somebody was, and nobody knows how far. */
    :: d_step { RESOLVABLE(k) && FREE(k) -> clear(k); nobodyHolds(k); printf("purge: removes pending key %d\n", k) }
#elif defined BREAK_PURGE_OF_SETTLED
    /* The purge takes a settled key before its retention has passed. */
    :: d_step { row[k].state == settled && FREE(k) -> clear(k); nobodyHolds(k); printf("purge: removes key %d\n", k) }
#endif
    od
}

init {
    atomic {
        row[0].state = absent;
        row[1].state = absent;
        copy.kind = nothing;
        run Time(0);
        run Time(1);
        run Operator();
        run Network();
        run Owner(0, 0, CALLS_A);
        run Owner(1, CALLS_A, CALLS_A + CALLS_B)
    }
}
