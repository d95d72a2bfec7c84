/** One formatter a zone: making them is slow, and a calendar has hundreds of rows. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** An instant (Unix seconds) on the wall clock of an IANA zone, ISO with the offset of that day. */
export function localIso(unixSeconds: number, zone: string): string {
  const offset = offsetMinutes(unixSeconds, zone);
  const wall = new Date((unixSeconds + offset * 60) * 1000).toISOString().slice(0, 19);
  const size = Math.abs(offset);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${wall}${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Minutes that a zone's clock is ahead of UTC at an instant, daylight saving included. */
function offsetMinutes(unixSeconds: number, zone: string): number {
  const parts = Object.fromEntries(
    formatterOf(zone)
      .formatToParts(unixSeconds * 1000)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Math.round((Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - unixSeconds) / 60);
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(zone, made);
  return made;
}
