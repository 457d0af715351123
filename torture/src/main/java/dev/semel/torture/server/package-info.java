/** The processes of a run, and what stands between them: nodes, databases, the ledger, the wire to PostgreSQL. */
@NullMarked
package dev.semel.torture.server;

import org.jspecify.annotations.NullMarked;
