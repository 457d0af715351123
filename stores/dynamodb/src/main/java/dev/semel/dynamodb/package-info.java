/** A store in a table of Amazon DynamoDB. */
@NullMarked
package dev.semel.dynamodb;

import org.jspecify.annotations.NullMarked;
