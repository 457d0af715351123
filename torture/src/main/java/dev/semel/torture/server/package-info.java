/** The processes of a run that are no database: nodes, and the ledger of effects. */
@NullMarked
package dev.semel.torture.server;

import org.jspecify.annotations.NullMarked;
