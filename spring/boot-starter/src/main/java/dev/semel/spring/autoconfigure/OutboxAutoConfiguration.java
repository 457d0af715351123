package dev.semel.spring.autoconfigure;

import dev.semel.outbox.Destination;
import dev.semel.outbox.Outbox;
import dev.semel.outbox.OutboxRelay;
import dev.semel.spring.TransactionalOutbox;
import dev.semel.spring.operation.SemelConfigurationException;
import dev.semel.spring.operation.SemelProperties;
import dev.semel.store.StoreException;
import dev.semel.store.StoreUnavailableException;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** The outbox, in the application's own database, and a relay where the application has destinations. */
@AutoConfiguration(after = StoreAutoConfiguration.class)
@ConditionalOnClass(name = {"dev.semel.outbox.Outbox", "org.springframework.jdbc.datasource.DataSourceUtils"})
@ConditionalOnSingleCandidate(DataSource.class)
class OutboxAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Outbox semelOutbox(DataSource dataSource, SemelProperties properties) {
        Outbox.Builder outbox = Outbox.builder(dataSource);
        if (properties.jdbc().schema() != null) {
            outbox.schema(properties.jdbc().schema());
        }
        if (properties.jdbc().createIfMissing()) {
            outbox.createIfMissing();
        }
        try {
            return outbox.build();
        } catch (StoreUnavailableException e) {
            throw e;
        } catch (StoreException e) {
            throw new SemelConfigurationException(
                    "Semel cannot keep an outbox in the database of the DataSource: " + e.getMessage() + ".",
                    "Connect to a PostgreSQL, in tests for example with Testcontainers or an embedded one. Where the outbox is"
                            + " not used, leave it out with spring.autoconfigure.exclude="
                            + OutboxAutoConfiguration.class.getName() + ".",
                    e);
        }
    }

    @Bean
    @ConditionalOnMissingBean
    TransactionalOutbox semelTransactionalOutbox(
            Outbox outbox, DataSource dataSource, ObjectProvider<OutboxRelay> relay) {
        return new TransactionalOutbox(outbox, dataSource, relay);
    }

    /** Delivers to the beans that are destinations, by the names of the beans. */
    @Bean(destroyMethod = "close")
    @ConditionalOnBean(Destination.class)
    @ConditionalOnMissingBean
    OutboxRelay semelOutboxRelay(Outbox outbox, Map<String, Destination> destinations) {
        OutboxRelay.Builder relay = outbox.relay();
        destinations.forEach(relay::destination);
        return relay.start();
    }
}
