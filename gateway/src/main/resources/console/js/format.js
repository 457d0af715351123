// How numbers, sizes and times are written. All times are UTC, like those of the logs and of the admin API.

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const NONE = "–";

export function count(value) {
  return value === null || value === undefined ? NONE : whole.format(value);
}

export function rate(perSecond) {
  if (perSecond === null || perSecond === undefined || !Number.isFinite(perSecond)) {
    return NONE;
  }
  return perSecond >= 100 ? whole.format(perSecond) : String(Number(perSecond.toFixed(perSecond >= 10 ? 1 : 2)));
}

export function percent(part, all) {
  return all > 0 ? `${((100 * part) / all).toFixed(1)} %` : NONE;
}

export function bytes(value) {
  if (value === null || value === undefined) {
    return NONE;
  }
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let scaled = value;
  let unit = 0;
  while (scaled >= 1024 && unit < units.length - 1) {
    scaled /= 1024;
    unit++;
  }
  return `${unit === 0 || scaled >= 100 ? whole.format(scaled) : Number(scaled.toFixed(1))} ${units[unit]}`;
}

export function duration(millis) {
  if (millis === null || millis === undefined || !Number.isFinite(millis)) {
    return NONE;
  }
  const value = Math.abs(millis);
  if (value < 1000) {
    return `${Math.round(value)} ms`;
  }
  if (value < 60_000) {
    return `${Number((value / 1000).toFixed(1))} s`;
  }
  const seconds = Math.round(value / 1000);
  return twoUnits(seconds, [[86_400, "d"], [3600, "h"], [60, "min"], [1, "s"]]);
}

function twoUnits(seconds, units) {
  const first = units.findIndex(([size]) => seconds >= size);
  const [size, name] = units[first];
  const rest = units[first + 1];
  const remainder = rest ? Math.floor((seconds % size) / rest[0]) : 0;
  return `${Math.floor(seconds / size)} ${name}${remainder > 0 ? ` ${remainder} ${rest[1]}` : ""}`;
}

export function time(iso) {
  return iso ? iso.replace("T", " ").replace(/(\.\d{1,3})\d*/, "$1").replace("Z", "") : NONE;
}

export function relative(iso, now) {
  const difference = now - Date.parse(iso);
  return difference >= 0 ? `${duration(difference)} ago` : `in ${duration(difference)}`;
}

export function plural(number, one, many) {
  return `${count(number)} ${number === 1 ? one : many}`;
}
