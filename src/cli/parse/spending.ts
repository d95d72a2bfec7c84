import { INTERACTIVE_WAIT } from '../../client/client.ts';
import type { Priority } from '../../client/quota/account.ts';
import type { RunBudget } from '../../client/quota/run-budget.ts';
import { MacroError } from '../../errors.ts';
import { isOn, type Options, readDuration, textOption } from './options.ts';

export interface Spending {
  /** Requests at most; none for any number. */
  readonly budgets: readonly RunBudget[];
  /** Milliseconds that a request may wait for room. */
  readonly maxWait: number;
  /** Whether the wait was typed: then a refusal of the service may ask for as much. */
  readonly isTyped: boolean;
}

/** Work in the background goes on in the next minute by itself; longer windows are for whoever says --wait. */
const BACKGROUND_WAIT = 65_000;

/** Reads `--budget`, `--wait` and `--max-wait`. */
export function readSpending(options: Options, priority: Priority): Spending {
  const typed = readWait(options);
  return {
    budgets: readBudgets(textOption(options, 'budget')),
    maxWait: typed ?? (priority === 'background' ? BACKGROUND_WAIT : INTERACTIVE_WAIT),
    isTyped: typed !== undefined,
  };
}

/** `--max-wait` bounds what `--wait` allows; it needs no `--wait` beside it. */
function readWait(options: Options): number | undefined {
  const longest = textOption(options, 'max-wait');
  if (longest !== undefined) return readDuration(longest, '--max-wait') * 1000;
  return isOn(options, 'wait') ? Number.POSITIVE_INFINITY : undefined;
}

const PER: Readonly<Record<string, RunBudget['per']>> = {
  min: 'minute',
  minute: 'minute',
  hour: 'hour',
  day: 'day',
  month: 'month',
};

/** `200`, or `60/min,5000/day`: so many in all, so many in each window. */
function readBudgets(text: string | undefined): readonly RunBudget[] {
  if (text === undefined) return [];
  return text.split(',').map((part) => {
    const [, limit = '', window] = /^(\d{1,9})(?:\/([a-z]+))?$/i.exec(part.trim()) ?? [];
    const per = window === undefined ? 'run' : PER[window.toLowerCase()];
    if (limit !== '' && per !== undefined) return { limit: Number(limit), per };
    throw new MacroError('usage', `'${text}' is no value for --budget.`, {
      code: 'bad_number',
      hint: 'Give the number of requests that this run may send at most, or in each min, hour, day or month: 60/min,5000/day.',
    });
  });
}
