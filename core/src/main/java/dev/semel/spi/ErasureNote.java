package dev.semel.spi;

/**
 * That the records of a scope were erased, without anything that was erased.
 *
 * @param scopeDigest SHA-256 of the scope, in hexadecimal digits
 * @param removed how many records are gone
 * @param left how many keys were left because they are not settled, or -1 if the erasure broke off
 * @param by who asked for it
 */
public record ErasureNote(String scopeDigest, long removed, long left, String by) {}
