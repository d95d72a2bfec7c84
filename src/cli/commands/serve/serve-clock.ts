// The clock of `serve`, as its options say.
import { parseInstant } from '../../../contract/time/time.ts';
import { MacroError } from '../../../errors.ts';
import type { Clock } from '../../../platform/platform.ts';
import { virtualClock } from '../../../platform/virtual-clock.ts';
import type { App } from '../../app/app.ts';
import { type Options, textOption } from '../../parse/options.ts';

/** A day in a second. */
const MAX_SPEED = 86_400;

/** Whether a server has another time than this machine. */
export function hasOwnClock(options: Options): boolean {
  return textOption(options, 'clock') !== undefined || textOption(options, 'speed') !== undefined;
}

/** The clock of a server, as `--clock` and `--speed` say. It runs from here on. */
export function readServeClock(app: App, options: Options): Clock {
  const startsAt = readStart(textOption(options, 'clock'));
  const speed = readSpeed(textOption(options, 'speed'));
  return virtualClock(app.platform.clock, { startsAt, speed });
}

function readStart(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = parseInstant(text);
  if (seconds !== undefined) return seconds * 1000;
  throw new MacroError('usage', `'${text}' is no time for --clock.`, {
    hint: 'Give a date, an ISO time such as 2026-03-09T14:00:00Z, or Unix seconds.',
  });
}

function readSpeed(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const speed = Number(text.trim());
  if (/^\d+(\.\d+)?$/.test(text.trim()) && speed <= MAX_SPEED) return speed;
  throw new MacroError('usage', `'${text}' is no value for --speed.`, {
    code: 'bad_number',
    hint: `Give a number from 0 to ${MAX_SPEED}: 60 is a minute in a second, 0 stops the clock.`,
  });
}
