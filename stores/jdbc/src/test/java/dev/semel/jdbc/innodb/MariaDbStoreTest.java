package dev.semel.jdbc.innodb;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testservers.TestMariaDb;
import java.util.List;

class MariaDbStoreTest extends InnoDbStore {

    @Override
    HikariDataSource newDatabase(int connections) {
        return TestMariaDb.newDatabase(connections);
    }

    @Override
    List<String> variants(String url) {
        return List.of(
                url,
                url + "?useServerPrepStmts=true",
                url + "?useBulkStmts=true",
                url + "?useAffectedRows=true",
                url + "?disablePipeline=true");
    }
}
