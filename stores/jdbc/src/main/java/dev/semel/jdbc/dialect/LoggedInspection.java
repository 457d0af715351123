package dev.semel.jdbc.dialect;

import dev.semel.spi.ErasureLog;
import java.sql.Connection;
import java.sql.SQLException;

/** An inspection of a database that keeps a log of erasures: see {@link ErasureLog}. */
public interface LoggedInspection extends TableInspection {

    void noteErasure(Connection connection, ErasureLog.Entry entry) throws SQLException;
}
