import type { AnswerMoment, Envelope, FurtherPages, PageView } from '../../contract/hooks.ts';
import type { PageRows } from '../../contract/json/body.ts';
import { isCovered } from '../../contract/time/coverage.ts';
import { BEGINNING, daysBetween } from '../../contract/time/time.ts';
import { type Cadence, cadenceOf, RHYTHMS, SAMPLE } from '../cadence.ts';
import { createPageRows } from '../page-rows.ts';
import { type ChangeRules, kindOf, withChanges } from './change-members.ts';
import { type Print, printText, readPrint } from './print.ts';
import { rowsBehind } from './reading.ts';

interface HistoryPagesOptions {
  /** All prints of the window, the stored ones as they are. */
  readonly window: readonly Print[];
  readonly newest: string | undefined;
  readonly rules: ChangeRules;
  /** The print as the question shows it; it leaves out none. */
  readonly select: (print: Print) => Print | undefined;
  readonly envelopeOf: EnvelopeOfPage;
  /** The same at another moment. */
  readonly envelopesAt: (moment: AnswerMoment) => EnvelopeOfPage;
  readonly identify: (print: Print) => Print;
}

type EnvelopeOfPage = (first: Print | undefined, cadence: Cadence | undefined) => Envelope;

/**
 * Any page of a history whose rows and those before them are known. Undefined where a row could be compared with another one
 * on another page: it must not matter how many rows before it a page reads.
 */
export async function historyPages(
  view: PageView<{ readonly limit: number; readonly offset: number }>,
  { window, newest, rules, select, envelopeOf, envelopesAt, identify }: HistoryPagesOptions,
): Promise<FurtherPages | undefined> {
  const [first, last] = [window[0], window.at(-1)];
  if (!first || !last || newest === undefined || view.caller.kind === 'keyless') return undefined;
  if (!isCovered(rules.coverage, { from: BEGINNING, to: first.date })) return undefined;
  // What a series is measured in must not follow from the rows of a page.
  if (kindOf(view.stored, []) !== kindOf(view.stored, [{ previous_date: '' }])) return undefined;
  const texts = (await view.everything?.()) ?? [];
  const start = texts.indexOf(first.text);
  if (start < 0 || texts[start + window.length - 1] !== last.text) return undefined;
  const prints = texts.slice(start).flatMap((text) => select(readPrint(text)) ?? []);
  const dates = prints.map(({ date }) => date);
  const sets = new Map<Cadence | undefined, PageRows | undefined>();

  function rowsOf(cadence: Cadence | undefined): PageRows | undefined {
    if (sets.has(cadence)) return sets.get(cadence);
    const reach = reachOf(rules.kind, cadence);
    const textOf = (place: number) => {
      const own = prints.slice(place, place + 1 + reach);
      return withChanges(own, 1, { ...rules, cadence })
        .map(identify)
        .map(printText)
        .join('');
    };
    const made = isYearWithin(dates, reach, cadence) ? createPageRows({ total: window.length, textOf }) : undefined;
    sets.set(cadence, made);
    return made;
  }

  /** Other moments are mostly asked for the page that was asked for just now. */
  let before: { readonly offset: number; readonly limit: number; readonly cadence: Cadence | undefined } | undefined;
  function cadenceAt(offset: number, limit: number): Cadence | undefined {
    if (before?.offset === offset && before.limit === limit) return before.cadence;
    const end = Math.min(offset + limit, window.length);
    const behind = rowsBehind(rules.kind, dates.slice(offset, end + SAMPLE));
    const cadence = cadenceOf(dates.slice(offset, end + behind));
    before = { offset, limit, cadence };
    return cadence;
  }

  function pagesWith(envelopeOfPage: EnvelopeOfPage): FurtherPages {
    const envelopes = new Map<string, Envelope>();
    return {
      total: window.length,
      page(offset, limit) {
        const cadence = cadenceAt(offset, limit);
        const rows = rowsOf(cadence);
        if (!rows) return undefined;
        const includesLatest = dates[offset] === newest;
        const name = `${cadence} ${includesLatest}`;
        const envelope = envelopes.get(name) ?? envelopeOfPage(prints[offset], cadence);
        envelopes.set(name, envelope);
        return { envelope, includesLatest, rows };
      },
      at: (moment) => pagesWith(envelopesAt(moment)),
    };
  }

  return pagesWith(envelopeOf);
}

function reachOf(kind: ChangeRules['kind'], cadence: Cadence | undefined): number {
  return kind === 'percent' || !cadence ? SAMPLE : Math.max(SAMPLE, RHYTHMS[cadence].rowsPerYear);
}

/** Days that lie between a row and the earliest one that can stand for a year before it, at least. */
const YEAR = 366;

/** True where so many rows before any row reach back a year and its tolerance, or to the first row there is. */
function isYearWithin(dates: readonly string[], reach: number, cadence: Cadence | undefined): boolean {
  if (!cadence) return true;
  const days = YEAR + RHYTHMS[cadence].tolerance;
  return dates.every((date, i) => {
    const far = dates[i + reach];
    return far === undefined || daysBetween(far, date) > days;
  });
}
