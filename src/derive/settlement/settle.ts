import type { Composed, HookContext, LoadedSeries } from '../../contract/hooks.ts';
import type { JsonText } from '../../contract/json/json.ts';
import { BEGINNING, dateOf } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import { attest } from './attestation.ts';
import { lacksOfRecord, lacksOfSearch } from './needs.ts';
import { findReceived, speaksFirst } from './received.ts';
import { type RecordOptions, recordText } from './record.ts';
import { findRelease, historiesOf, sightOf } from './release.ts';

/** A record that is asked for. */
export interface SettleOptions extends RecordOptions {
  /** A date, or `latest`. */
  readonly period: string;
}

interface StoredEvidence {
  /** Series of received records that answer exactly this question, but for the period. */
  readonly own: readonly LoadedSeries[];
  readonly loaded: readonly LoadedSeries[];
}

/**
 * The record of a release: as the service sent it while nothing newer contradicts it, else computed from the history and
 * signed by whoever answers. Undefined when nothing is stored; a release that this caller may not read yet, or that does
 * not exist, is refused. See docs/interface.md#settlement.
 * @throws MacroError of kind `notFound`.
 */
export function settleContract(
  options: SettleOptions,
  stored: StoredEvidence,
  context: HookContext<unknown>,
): Composed | undefined {
  const sight = sightOf(context.caller, context.now);
  const histories = historiesOf(stored.loaded, options);
  const received = findReceived(stored.own, options.period, sight);
  if (histories.length === 0 && !received.any) return undefined;
  const { release, withheld = [] } = findRelease(histories, options.period, sight);
  const today = dateOf(context.now * 1000);
  const search = { options, histories, loaded: stored.loaded, today, visibleFrom: sight.cutoffDate ?? BEGINNING };
  if (received.best && speaksFirst(received.best, release)) {
    // What came after the service named its newest record is a matter of age; a record of a period names only that.
    const lacks = options.period === 'latest' && !received.isNewest ? lacksOfSearch(search, release) : [];
    return answer(received.best.text, { lacks });
  }
  if (release) {
    const lacks = lacksOfRecord(search, release);
    if (lacks.length > 0) return { ...NOTHING, lacks };
    const text = attest(recordText(options, release, stored.loaded), context.signing, context.now);
    const computed = 'This record was computed from the mirror: the service has not vouched for it.';
    return answer(text, { lacks, notes: context.signing ? [] : [computed] });
  }
  const hidden = [...withheld, ...received.withheld];
  // A record or a release that this caller may not read yet is there: nothing is missing.
  const lacks = lacksOfSearch(search, undefined);
  if (hidden.length === 0 && !received.isAsked && lacks.length > 0) return { ...NOTHING, lacks };
  const clipped = sight.cutoffDate !== undefined && options.period < sight.cutoffDate;
  throw notAvailable(options, { withheld: hidden, clipped }, context);
}

/** Nothing is computed or signed over a hole: whoever answers refuses what lacks anything. */
const NOTHING: Composed = { envelope: {}, rows: [], total: 0 };

function answer(text: JsonText, parts: Pick<Composed, 'lacks' | 'notes'>): Composed {
  return { envelope: {}, rows: [text], total: 1, notes: [], ...parts };
}

function notAvailable(
  { currency, indicator, period }: SettleOptions,
  kept: { readonly withheld: readonly number[]; readonly clipped: boolean },
  context: HookContext<unknown>,
): MacroError {
  const which = period === 'latest' ? '' : ` for ${period}`;
  return new MacroError('notFound', `No release of ${indicator} of ${currency}${which} is available.`, {
    status: 404,
    code: 'release_not_available',
    hint: `Periods are named by their last day: macro announcements ${currency.toLowerCase()} ${indicator} lists them.`,
    ...(context.keyless && { extra: context.keyless(kept) }),
  });
}
