/** A store that keeps keys in Redis or Valkey. */
module dev.semel.redis {
    requires io.netty.common;
    requires org.slf4j;
    requires transitive dev.semel.core;
    requires transitive lettuce.core;
    requires static org.jspecify;

    exports dev.semel.redis;
}
