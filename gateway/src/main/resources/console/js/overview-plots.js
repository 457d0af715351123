// The plots of the page "Now", and which part of the overview each line shows.

import { bytes, duration, rate } from "./format.js";
import { Plot } from "./plots.js";
import { add } from "./series.js";

export function buildPlots() {
  const plot = (title, hint, format, series, options) => ({
    plot: new Plot({ title, hint, format, ...options, series: series.map(([label, color, , dash]) => ({ label, color, dash })) }),
    values: (window) => series.map(([, , values]) => values(window)),
  });
  const perSecond = (name) => (window) => window[name].map((value) => value === null ? null : (value * 1000) / window.intervalMillis);
  // A logarithmic scale cannot show zero.
  const positive = (name) => (window) => window[name].map((value) => (value > 0 ? value : null));
  const sumPerSecond = (...names) => (window) => add(window, ...names).map((value) => (value * 1000) / window.intervalMillis);
  const plain = (name) => (window) => window[name];
  return [
    plot("Throughput", "per second", rate, [
      ["executed", "line-1", perSecond("executed")],
      ["replayed", "line-2", perSecond("replayed")],
      ["passed through", "line-3", perSecond("passed")],
      ["refused", "line-4", perSecond("refused")],
    ]),
    plot("Duplicates", "per second", rate, [
      ["replayed", "line-2", perSecond("replayed")],
      ["told to retry", "line-1", perSecond("inFlight")],
      ["mismatched", "line-3", perSecond("mismatch")],
      ["told unknown", "line-4", perSecond("unknown")],
    ]),
    plot("Failures", "answered with 502, 503 or 504, per second", rate, [
      ["store", "line-4", perSecond("storeUnavailable")],
      ["upstream", "line-3", sumPerSecond("upstreamUnreachable", "upstreamInterrupted", "upstreamSilent")],
      ["no room", "line-1", sumPerSecond("upstreamBusy", "noRoom", "streamsFull", "notExecuted")],
    ]),
    plot("Pending age", "how old the claims are that have no outcome yet", duration, [
      ["p50", "line-1", plain("pendingP50")],
      ["p95", "line-3", plain("pendingP95")],
      ["p99", "line-4", plain("pendingP99")],
    ], { least: 1000 }),
    plot("Size of the store", "and where it levels off at the present rate", bytes, [
      ["size", "line-1", positive("bytes")],
      ["projection", "line-3", positive("projectedBytes"), true],
    ], { log: true }),
  ];
}
