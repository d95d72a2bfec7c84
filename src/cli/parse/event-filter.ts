import type { Args, ArgValue } from '../../contract/params/params.ts';
import { readParams } from '../../contract/params/read-params.ts';
import { nearestSlug } from '../../contract/words/everyday.ts';
import { nearest } from '../../contract/words/nearest.ts';
import { INDICATORS, MAIN_CURRENCIES } from '../../contract/words/words.ts';
import { expand } from '../../derive/announcements/events.ts';
import stream from '../../endpoints/events/stream.ts';
import { MacroError } from '../../errors.ts';
import type { App } from '../app/app.ts';
import { inOptionWords } from './findings.ts';
import { isOn, type Options, optionName, textOption } from './options.ts';

/** Which events are requested; undefined for all. */
export interface EventFilter {
  readonly currencies: readonly string[] | undefined;
  readonly indicators: readonly string[] | undefined;
  /** Nothing but what the stream tells of as it happens. */
  readonly isLive?: boolean;
  /** Milliseconds since its processing. */
  readonly maxAge?: number;
}

export const EVERYTHING: EventFilter = { currencies: undefined, indicators: undefined };

const KNOWN = { currencies: MAIN_CURRENCIES.map((code) => code.toLowerCase()), indicators: INDICATORS } as const;

export function readStreamArgs(options: Options, now: number): Args {
  const names = ['currencies', 'indicators', 'payload', 'max_age_ms'] as const;
  for (const name of ['currencies', 'indicators']) refuseBlank(name, textOption(options, name));
  const typed = names.map((name) => [name, textOption(options, optionName(name))]);
  const query = Object.fromEntries([...typed, ['live_only', isOn(options, 'live-only') ? 'true' : undefined]]);
  return inOptionWords(stream, () => readParams(stream, { path: {}, query }, { mode: 'liberal', now })).args;
}

/** A list of nothing, such as that of a variable that is not set, would be a filter that lets everything through. */
function refuseBlank(name: string, typed: string | undefined): void {
  if (typed === undefined || /[^\s,]/.test(typed)) return;
  throw new MacroError('usage', `--${name} names nothing.`, {
    code: 'bad_arguments',
    hint: `Name ${name}, separated by commas; without --${name} all are meant.`,
  });
}

/** The events that these arguments let through: `all` and `g10` stand for their currencies. */
export function filterOf({ currencies, indicators, live_only: live, max_age_ms: maxAge }: Args): EventFilter {
  return {
    currencies: expand(listOf(currencies)),
    indicators: listOf(indicators),
    ...(live === true && { isLive: true }),
    ...(typeof maxAge === 'number' && { maxAge }),
  };
}

function listOf(value: ArgValue | undefined): readonly string[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}

/** Notes filter words that no table has: a typo would wait forever. The tables age, so the service decides. */
export async function noteUnknownWords(app: Pick<App, 'note'>, filter: Partial<EventFilter>): Promise<void> {
  for (const option of ['currencies', 'indicators'] as const) {
    const known = KNOWN[option];
    for (const word of filter[option] ?? []) {
      if (known.includes(word)) continue;
      const close = option === 'indicators' ? nearestSlug(word, known) : nearest(word, known);
      await app.note(
        `${word} is not in the table of ${option}.${close ? ` Did you mean ${close}?` : ''}`,
        'unknown_word',
      );
    }
  }
}
