/** Windows of the budgets: fixed, on UTC clock boundaries. See docs/interface.md#rate-limits. */
export type LimitWindow = 'minute' | 'hour' | 'day' | 'month';

/** The windows that a moment lies in. Times are Unix seconds. */
export interface Windows {
  readonly second: number;
  readonly start: Readonly<Record<LimitWindow, number>>;
  /** Seconds until the window ends. */
  readonly left: Readonly<Record<LimitWindow, number>>;
}

/** Length in seconds; a month has its own each time. */
export const LIMIT_WINDOW_SECONDS: Readonly<Record<Exclude<LimitWindow, 'month'>, number>> = {
  minute: 60,
  hour: 3600,
  day: 86_400,
};

export function windowsAt(second: number): Windows {
  const startOf = (length: number) => Math.floor(second / length) * length;
  const leftOf = (length: number) => startOf(length) + length - second;
  const date = new Date(second * 1000);
  const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000;
  const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000;
  return {
    second,
    start: {
      minute: startOf(LIMIT_WINDOW_SECONDS.minute),
      hour: startOf(LIMIT_WINDOW_SECONDS.hour),
      day: startOf(LIMIT_WINDOW_SECONDS.day),
      month,
    },
    left: {
      minute: leftOf(LIMIT_WINDOW_SECONDS.minute),
      hour: leftOf(LIMIT_WINDOW_SECONDS.hour),
      day: leftOf(LIMIT_WINDOW_SECONDS.day),
      month: next - second,
    },
  };
}
