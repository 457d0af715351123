package dev.semel.redis;

import dev.semel.spi.KeyStore;
import dev.semel.testkit.life.SameLife;
import dev.semel.testservers.RedisProcess;
import dev.semel.util.Micros;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import net.jqwik.api.lifecycle.AfterContainer;

/** What Redis decides in Lua, and what is decided on the records that it finds, is what the state machine in Java decides. */
class RedisSameLifeTest extends SameLife {

    /** Two times stand at the beginning of a record, four behind its steps. The scope stands in it as text. */
    private static final String AGE = """
            for _, name in ipairs(redis.call('KEYS', 'semel:{*}:' .. string.rep('[0-9a-f]', 32))) do
              local record = redis.call('GET', name)
              if string.find(record, ARGV[1], 1, true) then
                local times, at = { 2, 10 }, struct.unpack('>I4', record, 42) + 1
                while at <= #record do
                  local length = struct.unpack('>I4', record, at)
                  if length == 0 then
                    times = { 2, 10, at + 5, at + 13, at + 21, at + 29 }
                    break
                  end
                  at = at + 4 + length
                  at = at + 4 + struct.unpack('>I4', record, at)
                end
                for _, place in ipairs(times) do
                  local time = struct.unpack('>d', record, place)
                  redis.call('SETRANGE', name, place - 1, struct.pack('>d', time - ARGV[2]))
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
            redis = RedisProcess.start("appendonly no");
            store = RedisKeyStore.builder(redis.url()).createIfMissing().build();
        }
        return store;
    }

    @Override
    protected void age(String scope, Duration duration) {
        redis.ask(server ->
                server.eval(AGE, ScriptOutputType.STATUS, new String[0], scope, Long.toString(Micros.of(duration))));
    }
}
