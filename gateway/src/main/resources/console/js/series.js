// The part of the overview's series that lies within a time range.

export function since(overview, millis) {
  const series = overview.series;
  const wanted = Math.ceil(millis / series.intervalMillis);
  const window = { intervalMillis: series.intervalMillis };
  for (const [name, values] of Object.entries(series)) {
    if (Array.isArray(values)) {
      window[name] = values.slice(-wanted);
    }
  }
  return window;
}

export function times(window) {
  return window.at.map((iso) => Date.parse(iso) / 1000);
}

export function sum(values) {
  return values.reduce((total, value) => total + (value ?? 0), 0);
}

export function add(window, ...names) {
  return window.at.map((_, index) => names.reduce((total, name) => total + (window[name][index] ?? 0), 0));
}
