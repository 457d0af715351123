package dev.semel.redis;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.life.SameLife;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import net.jqwik.api.lifecycle.AfterContainer;

/** What Redis decides in Lua, and what is decided on the records that it finds, is what the state machine in Java decides. */
class RedisSameLifeTest extends SameLife {

    /** The times are at fixed places of a record, and 0 if they are not set. The scope stands in it as text. */
    private static final String AGE = """
            for _, name in ipairs(redis.call('KEYS', 'semel:{*}:' .. string.rep('[0-9a-f]', 32))) do
              local record = redis.call('GET', name)
              if string.find(record, ARGV[1], 1, true) then
                for _, at in ipairs({ 1, 9, 45, 53, 61, 69 }) do
                  local time = struct.unpack('>d', record, at + 1)
                  if time > 0 then
                    redis.call('SETRANGE', name, at, struct.pack('>d', time - ARGV[2]))
                  end
                end
              end
            end
            """;

    private static RedisProcess redis;
    private static KeyStore store;

    @AfterContainer
    static void stop() {
        store.close();
        redis.close();
        store = null;
    }

    @Override
    protected KeyStore store() {
        if (store == null) {
            redis = RedisProcess.start("--appendonly", "no");
            store = RedisKeyStore.builder(redis.url()).createIfMissing().build();
        }
        return store;
    }

    @Override
    protected void age(String scope, Duration duration) {
        redis.ask(server -> server.eval(
                AGE, ScriptOutputType.STATUS, new String[0], scope, Long.toString(Records.micros(duration))));
    }
}
