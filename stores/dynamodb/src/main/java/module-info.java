/** A store that keeps keys in a table of Amazon DynamoDB. */
module dev.semel.dynamodb {
    requires org.slf4j;
    requires software.amazon.awssdk.awscore;
    requires software.amazon.awssdk.core;
    requires software.amazon.awssdk.http;
    requires software.amazon.awssdk.regions;
    requires transitive dev.semel.core;
    requires transitive software.amazon.awssdk.services.dynamodb;
    requires static org.jspecify;

    exports dev.semel.dynamodb;
}
