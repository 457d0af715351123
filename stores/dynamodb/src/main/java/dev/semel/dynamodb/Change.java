package dev.semel.dynamodb;

import dev.semel.KeyDigest;
import dev.semel.spi.Lease;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * A conditional change of a head item. In expressions {@code #name} is the attribute of that name, and {@code :name} a
 * value.
 */
final class Change {

    private static final Pattern NAME = Pattern.compile("#(\\w+)");

    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();
    private final List<String> sets = new ArrayList<>();
    private final List<String> removals = new ArrayList<>();
    private final String condition;

    private Change(String condition) {
        this.condition = use(condition);
        sets.add(use("#revision = #revision + :one"));
        with("one", Values.number(1));
    }

    static Change when(String condition) {
        return new Change(condition);
    }

    /** If the key still carries this lease, and is in one of two states. */
    static Change ifOwned(Lease lease, State one, State other) {
        return when("#nonce = :nonce AND #token = :token AND #state IN (:state1, :state2)")
                .with("nonce", Values.nonce(lease.nonce()))
                .with("token", Values.number(lease.token()))
                .with("state1", Values.text(one.letter()))
                .with("state2", Values.text(other.letter()));
    }

    /** If nobody has written to the item since it was read. */
    static Change ifUnchanged(Item item) {
        return when("#revision = :revision").with("revision", Values.number(item.revision()));
    }

    Change with(String name, AttributeValue value) {
        values.put(":" + name, value);
        return this;
    }

    /** Lets {@code #alias} stand for an attribute whose name may be anything. */
    Change naming(String alias, String attribute) {
        names.put("#" + alias, attribute);
        return this;
    }

    Change set(String attribute, AttributeValue value) {
        sets.add(use("#" + attribute + " = :new_" + attribute));
        return with("new_" + attribute, value);
    }

    Change set(Map<String, AttributeValue> attributes) {
        attributes.forEach(this::set);
        return this;
    }

    Change setTo(String assignment) {
        sets.add(use(assignment));
        return this;
    }

    /** Adds to the history. Only what ends a key's attempts does so, so it cannot grow long by this. */
    Change note(AttributeValue entry) {
        return setTo("#history = list_append(#history, :entry)").with("entry", AttributeValue.fromL(List.of(entry)));
    }

    Change remove(String... attributes) {
        for (String attribute : attributes) {
            removals.add(use("#" + attribute));
        }
        return this;
    }

    /** Leaves nothing of the key but its token, for as long as another machine's clock may be behind. */
    Change forget(Moment moment) {
        return set(Attributes.STATE, Values.text(State.FORGOTTEN.letter()))
                .set(Attributes.GONE_AFTER, Values.number(Settlement.goneAfter(moment.now(), moment)))
                .remove(
                        Attributes.OPEN,
                        Attributes.NONCE,
                        Attributes.STEPS,
                        Attributes.STEP_BYTES,
                        Attributes.HISTORY,
                        Attributes.NAMESPACE,
                        Attributes.SCOPE,
                        Attributes.VALUE);
    }

    private String use(String expression) {
        Matcher name = NAME.matcher(expression);
        while (name.find()) {
            names.putIfAbsent("#" + name.group(1), name.group(1));
        }
        return expression;
    }

    UpdateItemRequest of(String table, KeyDigest digest) {
        String update =
                "SET " + String.join(", ", sets) + (removals.isEmpty() ? "" : " REMOVE " + String.join(", ", removals));
        return UpdateItemRequest.builder()
                .tableName(table)
                .key(Keys.head(digest))
                .conditionExpression(condition)
                .updateExpression(update)
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
    }
}
