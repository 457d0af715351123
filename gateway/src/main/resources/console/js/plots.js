// Plots over time: uPlot draws, this gives it colours, axes and a legend that works by keyboard.

import uPlot from "../vendor/uplot.esm.js";
import { h, setText } from "./dom.js";

const HEIGHT = 150;
// uPlot's table of time formats: from which distance of ticks on, and how; no second line anywhere.
const clock = (from, pattern) => [from, pattern, null, null, null, null, null, null, 1];
const CLOCK = [clock(60, "{HH}:{mm}"), clock(1, "{HH}:{mm}:{ss}")];
// From one power of two to another, at least three of them apart, and at most five lines in between.
const powers = (_, min, max) => [2 ** Math.floor(Math.log2(Math.max(min || 1, 1))), Math.max(2 ** Math.ceil(Math.log2(Math.max(max || 8, 8))), 8 * 2 ** Math.floor(Math.log2(Math.max(min || 1, 1))))];

function powerSplits(min, max) {
  const first = Math.log2(min);
  const count = Math.log2(max) - first;
  const step = Math.max(1, Math.ceil(count / 4));
  return Array.from({ length: Math.floor(count / step) + 1 }, (_, index) => 2 ** (first + index * step));
}

const darkness = matchMedia("(prefers-color-scheme: dark)");

// series: [{label, color, dash}], format: how a value is written, log: whether values differ by
// orders of magnitude, least: how far the axis goes where all is zero.
export class Plot {
  constructor({ title, hint, series, format, log, least = 1 }) {
    this.series = series;
    this.format = format;
    this.log = log;
    this.least = least;
    this.shown = series.map(() => true);
    this.data = [[], ...series.map(() => [])];
    this.legend = series.map((one, index) => this.#legendButton(one, index));
    this.frame = h("div", { class: "plot-frame", "aria-hidden": "true" });
    this.empty = h("p", { class: "plot-empty" }, "Nothing measured yet.");
    this.summary = h("span", { class: "unseen" });
    this.element = h("figure", { class: "plot" },
      h("figcaption", null, h("strong", null, title), " ", h("span", { class: "hint" }, hint), this.summary),
      h("div", { class: "legend", role: "group", "aria-label": `Series of ${title}` }, this.legend.map((one) => one.button)),
      this.frame,
      this.empty);
    this.redraw = () => this.#draw();
    darkness.addEventListener("change", this.redraw);
    this.resized = new ResizeObserver(() => this.#fit());
    this.resized.observe(this.frame);
  }

  update(times, values) {
    this.data = [times, ...values];
    const any = times.length > 1;
    this.empty.hidden = any;
    this.frame.hidden = !any;
    if (!any) {
      return;
    }
    if (this.chart) {
      this.chart.setData(this.data);
    } else {
      this.#draw();
    }
    this.#showValues(times.length - 1);
    setText(this.summary, `. Latest: ${this.series.map((one, i) => `${one.label} ${this.#valueAt(i, times.length - 1)}`).join(", ")}.`);
  }

  dispose() {
    darkness.removeEventListener("change", this.redraw);
    this.resized.disconnect();
    this.chart?.destroy();
  }

  #legendButton(one, index) {
    const value = h("span", { class: "legend-value" }, "–");
    const button = h("button", {
      type: "button", class: "legend-item", "aria-pressed": "true", title: `Show or hide ${one.label}`,
      onclick: () => this.#toggle(index),
    }, h("span", { class: `swatch ${one.color}${one.dash ? " dashed" : ""}` }), one.label, " ", value);
    return { button, value };
  }

  #toggle(index) {
    this.shown[index] = !this.shown[index];
    this.legend[index].button.setAttribute("aria-pressed", String(this.shown[index]));
    this.chart?.setSeries(index + 1, { show: this.shown[index] });
  }

  #showValues(at) {
    this.legend.forEach((one, index) => setText(one.value, this.#valueAt(index, at)));
  }

  #valueAt(index, at) {
    return this.format(this.data[index + 1][at] ?? null);
  }

  #fit() {
    const width = this.frame.clientWidth;
    if (width > 0 && this.chart && this.chart.width !== width) {
      this.chart.setSize({ width, height: HEIGHT });
    }
  }

  #draw() {
    if (this.data[0].length < 2) {
      return;
    }
    this.chart?.destroy();
    this.chart = new uPlot(this.#options(), this.data, this.frame);
  }

  #options() {
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(`--${name}`).trim();
    const axis = {
      stroke: color("muted"), font: "11px system-ui, sans-serif", ticks: { show: false },
      grid: { stroke: color("grid"), width: 1 },
    };
    return {
      width: this.frame.clientWidth || 300,
      height: HEIGHT,
      padding: [8, 26, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      scales: { y: this.log ? { distr: 3, log: 2, range: powers } : { range: (_, min, max) => [0, max > 0 ? max * 1.1 : this.least] } },
      axes: [
        { ...axis, size: 26, space: 60, values: CLOCK },
        { ...axis, size: 62, space: 30, splits: this.log ? (_, __, min, max) => powerSplits(min, max) : undefined,
          filter: this.log ? (_, splits) => splits : undefined,
          values: (_, splits) => splits.map((value) => this.format(value)) },
      ],
      series: [
        {},
        ...this.series.map((one, index) => ({
          label: one.label, show: this.shown[index], stroke: color(one.color), width: 1.5,
          dash: one.dash ? [5, 4] : undefined, points: { show: false },
        })),
      ],
      hooks: {
        setCursor: [(chart) => this.#showValues(chart.cursor.idx ?? this.data[0].length - 1)],
      },
    };
  }
}
