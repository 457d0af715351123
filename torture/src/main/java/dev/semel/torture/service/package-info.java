/** The service that a node offers: its requests, its replies, and its effects, which a ledger notes. */
@NullMarked
package dev.semel.torture.service;

import org.jspecify.annotations.NullMarked;
