package dev.semel.bench.measure;

/**
 * One measurement of one design.
 *
 * @param walPerOperation bytes of write-ahead log for each operation
 * @param bytesPerKey what the table and its indexes take up for each key, or -1 if the design keeps less than others
 */
public record Result(double perSecond, double p50, double p99, double walPerOperation, double bytesPerKey) {}
