/*
 * Generations: the keys lie in list partitions, one of which is current; the purge drops a whole generation.
 *
 * A unique index covers one generation only, so that the claim has to be made one atomic step by other means. Here it
 * is what a database makes of it: a transaction that waits for a lock, takes a snapshot, inserts, and commits, with
 * anything in between. Two owners claim, run and settle over two keys, each may crash between any two steps; meanwhile
 * one process rotates, one moves pending keys on, one drops generations, and time passes.
 *
 * Choose with -D:
 *   RE_EXECUTE      the next claim may take over a lapsed lease; without it the policy is HOLD
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

mtype = { absent, inserting, pending, settled };

/* The row of a key in one generation. What is inserting is in the index, but in nobody's snapshot. */
typedef Row {
    mtype state;
    byte nonce;
    byte token;
    bit lapsed;
    bit expired
}

Row row[KEYS * GENERATIONS];
byte lastToken[KEYS];

byte current;           /* the control row */
bit dropped[GENERATIONS];

/* ---- The table lock: claims share it (ROW EXCLUSIVE), a rotation has it alone (SHARE ROW EXCLUSIVE). */

byte claimsUnderWay;
bit barrier;

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
#define LIVE_ELSEWHERE(k, g) ((g != 0 && LIVE(k, 0)) || (g != 1 && LIVE(k, 1)) || (g != 2 && LIVE(k, 2)))

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
    row[AT(k, g)].nonce = 0;
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
    row[AT(k, g)].nonce = nonce;
    row[AT(k, g)].token = token;
    row[AT(k, g)].lapsed = 0;
    row[AT(k, g)].expired = 0;
    holder[k] = token;
    printf("owner %d: wins key %d in generation %d with nonce %d, token %d\n", me, k, g, nonce, token);
    POSSIBLE(1, g == 2 && life[k] == 1);
    JUDGE(G1_one_owner, !LIVE_TWICE(k));
    JUDGE(G7_nothing_lost, told[IN(k, life[k])] == 0)
}

/* What was reused in place is expired again, what was inserted is gone. */
inline undo(k, g) {
    if
    :: row[AT(k, g)].expired -> row[AT(k, g)].state = settled
    :: else -> row[AT(k, g)].state = absent; row[AT(k, g)].nonce = 0
    fi
}

inline takeSnapshot(k, g) {
    d_step {
        g = current;
        blocked = LIVE_ELSEWHERE(k, g);
        printf("owner %d: its snapshot has generation %d as current, key %d live elsewhere: %d\n", me, g, k, blocked)
    }
}

proctype Owner(byte me; byte nonce; byte lastNonce) {
    byte k, g, token, born;
    bit blocked, second;

Next: /* Also where a crash leads: nothing of the call before is left, and the next call has a new nonce. */
    atomic {
        k = 0; g = 0; token = 0; born = 0; blocked = 0; second = 0;
        if
        :: nonce == lastNonce ->
            nonce = 0;
            goto Done
        :: else ->
            nonce++;
            if
            :: k = 0
            :: nonce > 1 -> k = 1 /* the keys are alike, so the very first call may as well take key 0 */
            fi;
            printf("owner %d: call with nonce %d for key %d\n", me, nonce, k)
        fi
    }

Claiming:
#ifdef BREAK_SNAPSHOT_BEFORE_LOCK
    /* A transaction that keeps one snapshot, or takes it before it waits, sees the generation before the switch. */
    takeSnapshot(k, g);
    atomic { !barrier -> claimsUnderWay++ }
#else
    atomic { !barrier -> claimsUnderWay++ }
    takeSnapshot(k, g);
#endif

Inserting: /* The unique index knows of uncommitted rows: behind one of those, the statement waits. */
    if
    :: atomic {
        !blocked && !dropped[g] && row[AT(k, g)].state == absent ->
        row[AT(k, g)].state = inserting; row[AT(k, g)].nonce = nonce; goto Committing
       }
    :: atomic {
        !blocked && !dropped[g] && row[AT(k, g)].state == settled && row[AT(k, g)].expired ->
        row[AT(k, g)].state = inserting; goto Committing /* reuse in place, in the current generation alone */
       }
    :: atomic { blocked || dropped[g] || LIVE(k, g) -> blocked = 0; goto Refused }
    :: atomic { claimsUnderWay--; goto Next }
    fi;

Committing:
    if
    :: atomic { win(k, g); claimsUnderWay--; blocked = 0; goto Running }
    :: atomic { win(k, g); claimsUnderWay--; g = 0; token = 0; born = 0; goto Claiming } /* answer lost: sent again */
    :: atomic { win(k, g); claimsUnderWay--; goto Next }
    :: atomic { undo(k, g); claimsUnderWay--; goto Next }
    fi;

Refused: /* The statements after it have a snapshot of their own, and look into every generation. */
    atomic {
        claimsUnderWay--;
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

/* ---- Rotation: the switch to the next generation is one transaction. */

proctype Rotator() {
end:
    do
    :: current < GENERATIONS - 1 ->
#ifdef BREAK_NO_BARRIER
        /* A claim that has not committed yet is seen by nobody who starts in the next generation. */
        d_step { current++; printf("rotation: generation %d is current\n", current) }
#else
        /* Waits for the claims under way, and lets new ones begin only when they will see the switch. */
        atomic { claimsUnderWay == 0 -> barrier = 1 };
        if
        :: d_step { current++; barrier = 0; printf("rotation: generation %d is current\n", current) }
        :: barrier = 0 /* crash: rolled back */
        fi
#endif
    od
}

/* ---- Moving what is pending out of a generation that should go: one statement, so nobody sees it half done. */

#define VACANT(k, g) (row[AT(k, g)].state == absent || (row[AT(k, g)].state == settled && row[AT(k, g)].expired))

inline move(k, g) {
    d_step {
        !barrier && g < current && row[AT(k, g)].state == pending && VACANT(k, current) ->
        row[AT(k, current)].state = pending;
        row[AT(k, current)].nonce = row[AT(k, g)].nonce;
        row[AT(k, current)].token = row[AT(k, g)].token;
        row[AT(k, current)].lapsed = row[AT(k, g)].lapsed;
        row[AT(k, current)].expired = 0;
        erase(k, g);
        printf("maintenance: moves key %d from generation %d to %d\n", k, g, current)
    }
}

proctype Mover() {
end:
    do
    :: move(0, 0)
    :: move(0, 1)
    :: move(1, 0)
    :: move(1, 1)
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
        g < current && MAY_GO(0, g) && MAY_GO(1, g) -> printf("maintenance: generation %d may go\n", g) }
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
        :: i < KEYS * GENERATIONS -> row[i].state = absent; i++
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
