/**
 * Semel's own error answers: problem details (RFC 9457). {@link dev.semel.http.problem.ProblemType} lists their causes.
 */
@NullMarked
package dev.semel.http.problem;

import org.jspecify.annotations.NullMarked;
