package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailuresTest {

    /** What Redis 7 says, what Redis 6.2 says of a command inside a script, and what has no word of its own. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "OOM command not allowed when used memory > 'maxmemory'. script: f_1b2c, on @user_script:12.",
                "READONLY You can't write against a read only replica.",
                "ERR Error running script (call to f_1b2c): @user_script:12: @user_script: 12: -OOM command not allowed"
                        + " when used memory > 'maxmemory'.",
                "ERR Error running script (call to f_1b2c): @user_script:12: @user_script: 12: -READONLY You can't"
                        + " write against a read only replica.",
                "ERR Error running script (call to f_1b2c): @user_script:12: @user_script: 12: -MISCONF Errors writing"
                        + " to the AOF file: No space left on device",
                "ERR Error running script (call to f_1b2c): @user_script:12: -NOREPLICAS Not enough good replicas to"
                        + " write.",
                "ERR Error running script (call to f_1b2c): @user_script:12: LOADING Redis is loading the dataset in"
                        + " memory",
                "ERR Script attempted to access a non local key in a cluster node script: f_1b2c, on @user_script:12.",
                "ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a replica is"
                        + " configured to be writable (which is not the default) writes to replicas are just local and"
                        + " are not propagated."
            })
    void whatPassesIsUnavailable(String error) {
        assertThat(wrap(error)).isInstanceOf(StoreUnavailableException.class).hasMessageContaining(error);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WRONGTYPE Operation against a key holding the wrong kind of value",
                "NOPERM this user has no permissions to run the 'fcall' command",
                "ERR Error running script (call to f_1b2c): @user_script:28: a record is there that was not",
                "ERR Error running script (call to f_1b2c): @user_script:12: WRONGTYPE Operation against a key holding"
                        + " the wrong kind of value",
                "ERR Error running script (call to f_1b2c): @user_script:28: bad argument -OOM is no number",
                "ERR wrong number of arguments for 'wait' command"
            })
    void whatStaysIsNot(String error) {
        assertThat(wrap(error))
                .isInstanceOf(StoreException.class)
                .isNotInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(error);
    }

    private static StoreException wrap(String error) {
        return Failures.wrap(new CompletionException(new RedisCommandExecutionException(error)));
    }
}
