/*
 * Generations: the keys lie in several tables, one of which is current; the purge drops a whole generation.
 *
 * A unique index covers one generation only, so that the claim has to be made one atomic step by other means. Here it
 * is what a database makes of it: a transaction that looks which generation is current, takes a snapshot, inserts, and
 * commits, with anything in between. Nobody waits for a rotation: as long as claims are under way that know nothing of it,
 * those that do know enter a guard into the generation before. Two owners claim, run and settle over two keys, each may crash between any two steps; meanwhile
 * one process rotates, one moves pending keys on, one drops generations, and time passes.
 *
 * Choose with -D:
 *   RE_EXECUTE      the next claim may take over a lapsed lease; without it the policy is HOLD
 *   ONE_KEY         all calls are for the same key
 *   BREAK_...       one mistake, explained where it is made
 *   ONLY=name       judge one guarantee alone; without it, all of them
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

#define KEYS 2
#define LIVES 2
#ifndef EXPIRIES
#define EXPIRIES 1
#endif
#ifndef GENERATIONS
#define GENERATIONS 3
#endif

/* ---- What the database keeps */

mtype = { absent, inserting, pending, settled, marked };

/* The row of a key in one generation. What is inserting is in the index, but in nobody's snapshot, where it still is
   what it was. What is marked is free: the guard of a claim that went to the next generation. */
typedef Row {
    mtype state;
    mtype was;
    byte nonce;
    byte wasNonce;
    byte token;
    bit lapsed;
    bit expired
}

Row row[KEYS * GENERATIONS];
byte lastToken[KEYS];

#define NONE 9

byte current;           /* the control row: the generation that new keys go to, */
byte guarded = NONE;    /* and the one before, as long as somebody may still take that for the current one */
bit dropped[GENERATIONS];

/* ---- The lock that a claim leaves where it has looked, until it ends. It keeps nobody waiting. */

bit underWay[2];
bit unaware[2];         /* was under way when the generations changed */

/* ---- What only the judge knows */

byte life[KEYS];
byte holder[KEYS];
byte effects[KEYS * LIVES];
byte told[KEYS * LIVES];
byte downstream[KEYS];

/* Always true. They are here for their names, which a violated assertion shows. */
bit G1_one_owner = 1;
bit G2_stable_replay = 1;
bit G3_no_zombies = 1;
bit G5_one_effect = 1;
bit G7_nothing_lost = 1;
bit impossible = 1;

#define ID_all 0
#define ID_G1_one_owner 1
#define ID_G2_stable_replay 2
#define ID_G3_no_zombies 3
#define ID_G5_one_effect 5
#define ID_G7_nothing_lost 7
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
#define AT(k, g) ((k) * GENERATIONS + (g))

/* A row that stands against a claim. */
#define LIVE(k, g) (row[AT(k, g)].state == pending || (row[AT(k, g)].state == settled && !row[AT(k, g)].expired))
#define LIVE_SOMEWHERE(k) (LIVE(k, 0) || LIVE(k, 1) || LIVE(k, 2))
#define LIVE_TWICE(k) (LIVE(k, 0) + LIVE(k, 1) + LIVE(k, 2) > 1)
#define VACANT(k, g) (row[AT(k, g)].state == marked || (row[AT(k, g)].state == settled && row[AT(k, g)].expired))
#define ENTERABLE(k, g) (row[AT(k, g)].state == absent || VACANT(k, g))
/* The row is not what was seen of it: free with this nonce, or not there. */
#define THERE_AS(k, g, seen) (VACANT(k, g) && row[AT(k, g)].nonce == seen)
#define CHANGED(k, g, seen) (dropped[g] || (seen == 0 && row[AT(k, g)].state != absent) || (seen != 0 && !THERE_AS(k, g, seen)))
#define VACANT_AS(state, expired) (state == marked || (state == settled && expired))

/* The generation in which the live row of key k is. */
inline locate(k, g) {
    if
    :: LIVE(k, 0) -> g = 0
    :: !LIVE(k, 0) && LIVE(k, 1) -> g = 1
    :: !LIVE(k, 0) && !LIVE(k, 1) -> g = 2
    fi
}

inline erase(k, g) {
    row[AT(k, g)].state = absent;
    row[AT(k, g)].was = absent;
    row[AT(k, g)].nonce = 0;
    row[AT(k, g)].wasNonce = 0;
    row[AT(k, g)].token = 0;
    row[AT(k, g)].lapsed = 0;
    row[AT(k, g)].expired = 0
}

inline tell(k, ofLife, result) {
    JUDGE(G2_stable_replay, told[IN(k, ofLife)] == 0 || told[IN(k, ofLife)] == result);
    told[IN(k, ofLife)] = result
}

/* ---- An owner */

inline haveEffect(k) {
    if
#ifdef RE_EXECUTE
    :: token > downstream[k] ->
        JUDGE(G5_one_effect, effects[IN(k, born)] == 0 || second);
        downstream[k] = token;
        effects[IN(k, born)] = effects[IN(k, born)] + 1;
#else
    :: true ->
        JUDGE(G5_one_effect, effects[IN(k, born)] == 0);
        effects[IN(k, born)] = effects[IN(k, born)] + 1;
#endif
        printf("owner %d: effect on key %d with token %d\n", me, k, token)
    :: else
    fi
}

/* The row becomes visible, and with it the claim: the end of every way to win a key. */
inline win(k, g) {
    lastToken[k] = lastToken[k] + 1;
    token = lastToken[k];
    born = life[k];
    row[AT(k, g)].state = pending;
    row[AT(k, g)].was = absent;
    row[AT(k, g)].nonce = nonce;
    row[AT(k, g)].wasNonce = 0;
    row[AT(k, g)].token = token;
    row[AT(k, g)].lapsed = 0;
    row[AT(k, g)].expired = 0;
    holder[k] = token;
    printf("owner %d: wins key %d in generation %d with nonce %d, token %d\n", me, k, g, nonce, token);
    POSSIBLE(1, g == 2 && life[k] == 1);
    JUDGE(G1_one_owner, !LIVE_TWICE(k));
    JUDGE(G7_nothing_lost, told[IN(k, life[k])] == 0)
}

/* The row becomes a part of the transaction: the index knows of it, other snapshots see what it was. */
inline take(k, g) {
    row[AT(k, g)].was = row[AT(k, g)].state;
    row[AT(k, g)].wasNonce = row[AT(k, g)].nonce;
    row[AT(k, g)].state = inserting;
    row[AT(k, g)].nonce = nonce
}

inline undo(k, g) {
    row[AT(k, g)].state = row[AT(k, g)].was;
    row[AT(k, g)].nonce = row[AT(k, g)].wasNonce;
    row[AT(k, g)].was = absent;
    row[AT(k, g)].wasNonce = 0
}

inline commitGuard(k) {
    if
    :: guarding ->
        row[AT(k, p)].state = marked;
        row[AT(k, p)].was = absent;
        row[AT(k, p)].wasNonce = 0;
        row[AT(k, p)].token = 0;
        row[AT(k, p)].lapsed = 0;
        row[AT(k, p)].expired = 0;
        guarding = 0
    :: else
    fi
}

inline undoGuard(k) {
    if
    :: guarding -> undo(k, p); guarding = 0
    :: else
    fi
}

inline endClaim() {
    underWay[me] = 0;
    unaware[me] = 0
}

/* The nonce of a row that is free in this snapshot; 0 if there is no such row. */
inline seeFree(k, g, seen) {
    if
    :: row[AT(k, g)].state == inserting && VACANT_AS(row[AT(k, g)].was, row[AT(k, g)].expired) ->
        seen = row[AT(k, g)].wasNonce
    :: row[AT(k, g)].state != inserting && VACANT(k, g) -> seen = row[AT(k, g)].nonce
    :: else -> seen = 0
    fi
}

inline look(k) {
    d_step {
        blocked = LIVE_SOMEWHERE(k);
        seeFree(k, g, seenHere);
        if
        :: p != NONE -> seeFree(k, p, seenBefore)
        :: else -> seenBefore = 0
        fi
    }
}

inline readControl() {
    d_step {
        g = current;
        p = guarded;
        printf("owner %d: generation %d is current, guarded %d\n", me, g, p)
    }
}

proctype Owner(byte me; byte nonce; byte lastNonce) {
    byte k, g, p, token, born, seenHere, seenBefore;
    bit blocked, second, guarding;

Next: /* Also where a crash leads: nothing of the call before is left, and the next call has a new nonce. */
    atomic {
        k = 0; g = 0; p = 0; token = 0; born = 0; seenHere = 0; seenBefore = 0; blocked = 0; second = 0;
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
            printf("owner %d: call with nonce %d for key %d\n", me, nonce, k)
        fi
    }

Claiming:
#ifdef BREAK_SNAPSHOT_BEFORE_LOCK
    /* A transaction that keeps one snapshot, or takes it before it leaves its lock, goes by the generation before. */
    readControl();
    underWay[me] = 1;
#else
    underWay[me] = 1;
    readControl();
#endif
    look(k);

Guarding: /* The unique index knows of uncommitted rows: behind one of those, the statement waits. */
    if
    :: atomic { blocked -> goto Refused }
    :: atomic { !blocked && p == NONE -> goto Inserting }
    :: atomic {
        !blocked && p != NONE && !dropped[p] && row[AT(k, p)].state == absent && seenBefore == 0 ->
        take(k, p); guarding = 1
       }
    :: atomic {
        !blocked && p != NONE && !dropped[p] && seenBefore != 0 && VACANT(k, p) && row[AT(k, p)].nonce == seenBefore ->
        take(k, p); guarding = 1
       }
    :: atomic { /* somebody was there before */
        !blocked && p != NONE && row[AT(k, p)].state != inserting && CHANGED(k, p, seenBefore) -> goto Refused
       }
    :: atomic { endClaim(); goto Next }
    fi;
    look(k);

Inserting:
    if
    :: atomic { blocked -> commitGuard(k); goto Refused }
    :: atomic {
        !blocked && !dropped[g] && row[AT(k, g)].state == absent && seenHere == 0 ->
        take(k, g); goto Committing
       }
    :: atomic { /* reuse in place, in the current generation alone */
        !blocked && !dropped[g] && seenHere != 0 && VACANT(k, g) && row[AT(k, g)].nonce == seenHere ->
        take(k, g); goto Committing
       }
    :: atomic {
        !blocked && row[AT(k, g)].state != inserting && CHANGED(k, g, seenHere) -> commitGuard(k); goto Refused
       }
    :: atomic { undoGuard(k); endClaim(); goto Next }
    fi;

Committing:
    if
    :: atomic { win(k, g); commitGuard(k); endClaim(); goto Running }
    :: atomic { win(k, g); commitGuard(k); endClaim(); g = 0; token = 0; born = 0; goto Claiming } /* answer lost: sent again */
    :: atomic { win(k, g); commitGuard(k); endClaim(); goto Next }
    :: atomic { undo(k, g); undoGuard(k); endClaim(); goto Next }
    fi;

Refused: /* The statements after it have a snapshot of their own, and look into every generation. */
    atomic {
        endClaim();
        blocked = 0; seenHere = 0; seenBefore = 0; p = 0;
        if
#ifdef BREAK_REUSE_IN_OLD_GENERATION
        /* Somebody has won the key in the current generation; here it is won again in an older one. */
        :: row[AT(k, 0)].state == settled && row[AT(k, 0)].expired && current > 0 && !dropped[0] ->
            g = 0; win(k, g); goto Running
#endif
        :: LIVE_SOMEWHERE(k) ->
            locate(k, g);
            if
            :: row[AT(k, g)].state == pending && row[AT(k, g)].nonce == nonce ->
                token = row[AT(k, g)].token; born = life[k];
                POSSIBLE(2, g < current); /* a claim that is sent again finds itself in an older generation */
                goto Running
#ifdef RE_EXECUTE
            :: row[AT(k, g)].state == pending && row[AT(k, g)].nonce != nonce && row[AT(k, g)].lapsed ->
                win(k, g); second = 1;
                POSSIBLE(3, g < current); /* a takeover in an older generation */
                goto Running
            :: row[AT(k, g)].state == pending && row[AT(k, g)].nonce != nonce && !row[AT(k, g)].lapsed -> goto Next
#else
            :: row[AT(k, g)].state == pending && row[AT(k, g)].nonce != nonce -> goto Next
#endif
            :: row[AT(k, g)].state == settled -> tell(k, life[k], row[AT(k, g)].token); goto Next
            fi
        :: !LIVE_SOMEWHERE(k) -> g = 0; goto Claiming /* neither won nor found */
        fi
    }

Running:
    if
    :: atomic { haveEffect(k); goto Settling }
    :: goto Next
    fi;

Settling:
    if
    :: atomic {
#ifndef BREAK_SETTLE_IN_CLAIMED_GENERATION
        /* The row may have been moved since it was claimed; a settle that looks only where it was finds nothing. */
        locate(k, g);
#endif
        if
        :: row[AT(k, g)].nonce == nonce && row[AT(k, g)].token == token && row[AT(k, g)].state != absent ->
            JUDGE(G3_no_zombies, holder[k] == token);
            POSSIBLE(4, g < current && row[AT(k, g)].state == pending); /* a settle in an older generation */
            row[AT(k, g)].state = settled;
            printf("owner %d: settles key %d in generation %d with token %d\n", me, k, g, token);
            tell(k, born, token)
        :: else ->
            printf("owner %d: its settle of key %d with token %d is refused\n", me, k, token);
            JUDGE(G7_nothing_lost, holder[k] != token)
        fi;
        goto Next
       }
    :: goto Next
    fi;

Done:
    skip
}

/* ---- Time */

inline lapse(k, g) {
    d_step {
        row[AT(k, g)].state == pending && !row[AT(k, g)].lapsed ->
        row[AT(k, g)].lapsed = 1;
        printf("time: the lease of key %d lapses\n", k)
    }
}

inline expire(k, g) {
    d_step {
        row[AT(k, g)].state == settled && !row[AT(k, g)].expired && life[0] + life[1] < EXPIRIES ->
        row[AT(k, g)].expired = 1;
        life[k] = life[k] + 1;
        holder[k] = 0;
        printf("time: key %d expires\n", k)
    }
}

proctype Time(byte k) {
end:
    do
#ifdef RE_EXECUTE
    :: lapse(k, 0)
    :: lapse(k, 1)
    :: lapse(k, 2)
#endif
    :: expire(k, 0)
    :: expire(k, 1)
    :: expire(k, 2)
    od
}

/* ---- Rotation: two steps, each of which is one change of the control row. */

proctype Rotator() {
end:
    do
    :: d_step {
        current < GENERATIONS - 1 && guarded == NONE ->
#ifndef BREAK_NO_GUARD
        /* Without it, a claim that has not committed yet is seen by nobody who starts in the next generation. */
        guarded = current;
#endif
        unaware[0] = underWay[0];
        unaware[1] = underWay[1];
        current++;
        printf("rotation: generation %d is current\n", current)
       }
#ifdef BREAK_END_TOO_EARLY
    /* Somebody is still about to enter a key where the current generation was. */
    :: d_step { guarded != NONE -> guarded = NONE; printf("rotation: ended\n") }
#else
    :: d_step { guarded != NONE && !unaware[0] && !unaware[1] -> guarded = NONE; printf("rotation: ended\n") }
#endif
    od
}

/* ---- Moving what is pending out of a generation that should go: one statement, so nobody sees it half done. It may not
   know of a rotation either. */

inline move(k, g, to) {
    d_step {
        to != NONE && g < to && g != guarded && row[AT(k, g)].state == pending && ENTERABLE(k, to) ->
        row[AT(k, to)].state = pending;
        row[AT(k, to)].nonce = row[AT(k, g)].nonce;
        row[AT(k, to)].token = row[AT(k, g)].token;
        row[AT(k, to)].lapsed = row[AT(k, g)].lapsed;
        row[AT(k, to)].expired = 0;
        erase(k, g);
        printf("maintenance: moves key %d from generation %d to %d\n", k, g, to)
    }
}

proctype Mover() {
end:
    do
    :: move(0, 0, current)
    :: move(0, 1, current)
    :: move(1, 0, current)
    :: move(1, 1, current)
    :: move(0, 0, guarded)
    :: move(1, 0, guarded)
    od
}

/* ---- Dropping: somebody looks whether a generation may go, and drops it later. */

#if defined BREAK_DROP_WITH_PENDING
/* "Its last insert was longer ago than the retention." */
#define MAY_GO(k, g) true
#elif defined BREAK_DROP_BY_LAST_INSERT
/* The same, and nothing is pending: but every key was settled later than it was inserted, and its retention begins
   there. */
#define MAY_GO(k, g) (row[AT(k, g)].state != pending)
#else
#define MAY_GO(k, g) (!LIVE(k, g))
#endif

proctype Dropper() {
    byte g;

end:
    do
    :: atomic {
        g < current && g != guarded && MAY_GO(0, g) && MAY_GO(1, g) -> printf("maintenance: generation %d may go\n", g) }
        atomic { /* waits for transactions that have a row in it */
            row[AT(0, g)].state != inserting && row[AT(1, g)].state != inserting ->
            POSSIBLE(5, row[AT(0, g)].state == settled);
            JUDGE(G7_nothing_lost, !LIVE(0, g) && !LIVE(1, g));
            erase(0, g);
            erase(1, g);
            dropped[g] = 1;
            printf("maintenance: drops generation %d\n", g);
            g++
        }
    od
}

init {
    byte i;
    atomic {
        do
        :: i < KEYS * GENERATIONS -> row[i].state = absent; row[i].was = absent; i++
        :: else -> break
        od;
        i = 0;
        run Time(0);
        run Time(1);
        run Rotator();
        run Mover();
        run Dropper();
        run Owner(0, 0, CALLS_A);
        run Owner(1, CALLS_A, CALLS_A + CALLS_B)
    }
}
