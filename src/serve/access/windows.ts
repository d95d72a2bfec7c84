/** Windows of the budgets: fixed, on UTC clock boundaries. See docs/interface.md#rate-limits. */
export type WindowName = 'minute' | 'hour' | 'day' | 'month';

/** The windows that a moment lies in. Times are Unix seconds. */
export interface Windows {
  readonly second: number;
  readonly start: Readonly<Record<WindowName, number>>;
  /** Seconds until the window ends. */
  readonly left: Readonly<Record<WindowName, number>>;
}

/** Length in seconds; a month has its own each time. */
export const LENGTHS: Readonly<Record<Exclude<WindowName, 'month'>, number>> = { minute: 60, hour: 3600, day: 86_400 };

export function windowsAt(second: number): Windows {
  const startOf = (length: number) => Math.floor(second / length) * length;
  const leftOf = (length: number) => startOf(length) + length - second;
  const date = new Date(second * 1000);
  const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000;
  const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000;
  return {
    second,
    start: {
      minute: startOf(LENGTHS.minute),
      hour: startOf(LENGTHS.hour),
      day: startOf(LENGTHS.day),
      month,
    },
    left: {
      minute: leftOf(LENGTHS.minute),
      hour: leftOf(LENGTHS.hour),
      day: leftOf(LENGTHS.day),
      month: next - second,
    },
  };
}
