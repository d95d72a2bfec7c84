import { MacroError } from '../../errors.ts';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3600, d: 86_400, w: 604_800 };

/**
 * A duration (`90s`, `15m`, `6h`, `2d`, `1w`, or plain seconds) in seconds.
 * @throws MacroError of kind `usage`.
 */
export function readDuration(text: string, option: string): number {
  const [, count = '', unit = 's'] = /^(\d{1,9})(s|m|min|h|d|w)?$/.exec(text.trim().toLowerCase()) ?? [];
  if (count !== '') return Number(count) * (SECONDS[unit] ?? 1);
  throw new MacroError('usage', `'${text}' is no duration for ${option}.`, {
    hint: 'Durations are 90s, 15m, 6h, 2d, 1w, or a number of seconds.',
  });
}
