package dev.semel.spring;

import dev.semel.Attempt;
import dev.semel.NotExecutedException;
import dev.semel.policy.Mode;
import dev.semel.policy.Reconciler;
import dev.semel.policy.Recovery;
import dev.semel.policy.WhenStoreIsDown;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method as an operation that happens once per key, or all methods of a class: the handler methods of a
 * controller that change something, or the public methods of another bean. An annotation on a method replaces the one
 * on its class.
 *
 * <p>On a handler method of a controller, the key is the {@code Idempotency-Key} header of the request, and the whole
 * response is stored and replayed. On a method of any other bean, the key is {@link #key}, and the returned value is
 * stored as JSON; a call that can be neither run nor replayed throws {@link dev.semel.NoValueException}.
 *
 * <p>On a Kafka listener, the key is {@link #key}, over the arguments and {@code #header}, or the place of the record, and
 * the container commits nothing but settled records.
 *
 * <p>A parameter of type {@link Attempt} is the running attempt, with its fencing token, child keys and steps. Callers
 * of a bean's method with a {@link #key} pass {@code null}. Without a {@link #key}, they pass the attempt that they run
 * in, and the call is then a child of it.
 *
 * <p>Write durations as {@code 30s}, {@code 500ms} or {@code 7d}, or in ISO 8601. All texts may contain placeholders,
 * {@code ${...}}.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Idempotent {

    /**
     * The operation's name, for people and metrics; by default the simple names of class and method. Keys that contain it
     * need it written out, so that they stay the same when a method is renamed: natural keys, and those of a bean's method
     * that is the child of an {@link Attempt}.
     *
     * <p>On a controller class it is the prefix of each method's name, as in {@code payments.charge}. If keys contain
     * the name, it is the whole name also on a class, and only one method of that class may lack its own annotation.
     */
    String value() default "";

    /**
     * The names that the operation had before, oldest first. List each of them for as long as the retention of its
     * keys, so that a call under a former name can still be retried.
     */
    String[] formerly() default {};

    /**
     * How the operation relates to a transaction. In the transactional modes, Semel begins the transaction that {@code
     * @Transactional} describes, and stores the outcome in it.
     */
    Mode mode() default Mode.EXTERNAL;

    /** How long the owner of a key may be silent before it counts as dead; by default {@code semel.lease}. */
    String lease() default "";

    /** How long an outcome is replayed; by default {@code semel.retention}. */
    String retention() default "";

    /** How long a duplicate waits for the outcome; by default it does not wait, and gets <em>in flight</em>. */
    String waitFor() default "";

    /**
     * On a bean's method that returns nothing: whether a call returns without running while another call with the same
     * key is running. Otherwise it throws {@link dev.semel.NoValueException}, which a scheduler logs as an error. For
     * {@code @Scheduled} methods of an application that runs on several nodes.
     */
    boolean skipInFlight() default false;

    /** Whether a duplicate of a request is answered with 202 and the address of a status resource. */
    boolean accepted() default false;

    /**
     * On controllers, whether a client that sends {@code Prefer: respond-async} gets 202 immediately, and asks the status resource
     * for the outcome; needs {@code semel.http.status-path}.
     */
    boolean respondAsync() default false;

    /**
     * What happens after the owner of a key has died; by default {@link Recovery#HOLD}, and
     * {@link Recovery#RE_EXECUTE} in the transactional modes. {@link Recovery#RECONCILE} needs a {@link Reconciler}
     * bean: see {@link Reconciles}.
     */
    Recovery[] recovery() default {};

    /**
     * JSON Pointers to the parts of the input that identify a call; by default, all of it. The input is the body of a
     * request, or an object with the arguments of a method by their names.
     */
    String[] include() default {};

    /** JSON Pointers to the parts of the input that may differ between a call and its retry. */
    String[] ignore() default {};

    /**
     * The natural key: a SpEL expression. On beans, over the arguments by their names: {@code #order.number}. On
     * controllers, over the variables of the path, {@code #orderId}, and over {@code #query} and {@code #header}, in
     * place of the header.
     */
    String key() default "";

    /** On controllers, JSON Pointers to the fields of the body that are the natural key, in place of the header. */
    String[] keyFields() default {};

    /**
     * On controllers, where to read a request's key; the first place that has one counts: {@code header}, {@code
     * header:NAME}, {@code json:/POINTER}, {@code graphql}, {@code form:FIELD}, {@code query:PARAMETER}; or, for
     * clients that send no key, where to derive it from: {@code path:/orders/{order}}, {@code natural:/POINTER}, or
     * {@code body-hash} (needs {@code semel.http.body-hash-secret}). By default the header.
     */
    String[] keyFrom() default {};

    /**
     * On controllers, the required form of keys that clients choose: {@code uuid}, {@code uuidv4}, {@code uuidv7},
     * {@code ulid}, {@code pattern:REGEX} or {@code entropy:BITS}. By default any form is accepted.
     */
    String keyFormat() default "";

    /**
     * On controllers, how old a key may be, by the time in it ({@code uuidv7}, {@code ulid}) or in the header {@code
     * semel.http.key-time-header}. An older key is refused, and nothing is stored for it. By default any age is
     * accepted.
     */
    String keyMaxAge() default "";

    /**
     * On controllers, the parts of responses that are never stored: JSON Pointers ({@code /card/number}) and headers
     * ({@code header:X-Token}). A replay has a placeholder instead; a {@link dev.semel.http.stored.ReplayHook} bean can
     * complete it.
     */
    String[] neverStore() default {};

    /**
     * On beans, the caller who owns the key: a SpEL expression over the arguments. Required if clients choose the key.
     * By default the application itself is the caller.
     */
    String scope() default "";

    /** On controllers, whether a request without a key is refused; otherwise it runs unprotected. */
    boolean required() default true;

    /**
     * The exceptions which mean that nothing was executed, so that a retry with the same key runs; {@link
     * NotExecutedException} always does.
     */
    Class<? extends Throwable>[] notExecuted() default {};

    /**
     * On controllers, the dialect of requests and answers, such as {@code stripe}; by default {@code semel.dialect}.
     */
    String dialect() default "";

    /** What happens while the store is down. */
    WhenStoreIsDown whenStoreIsDown() default WhenStoreIsDown.CLOSED;
}
