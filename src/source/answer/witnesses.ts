/** Periods of one series according to several sources, and the merged vintages of these. */

import { patchRow } from '../../contract/json/body.ts';
import { asJsonText, type JsonText, toJsonText } from '../../contract/json/json.ts';
import type { Args } from '../../contract/params/param.ts';
import {
  confirmedTimes,
  firstWitness,
  newestWitness,
  type PeriodValues,
  type Witness,
} from '../../coverage/period-source.ts';
import { readPrint } from '../../derive/announcements/print.ts';
import { hidesFirst } from '../../derive/announcements/series.ts';
import {
  newestVintage,
  type PrintVintage,
  printVintages,
  releasedBy,
  secondsToNs,
} from '../../derive/announcements/vintages.ts';
import type { StoredRow, StoredSeries } from '../../mirror/api/series.ts';
import { everythingVisible } from '../selection.ts';
import type { MergedVintages, MirrorQuestion } from './answer.ts';
import { membersOf } from './envelope.ts';
import { keptValues } from './view.ts';

interface PeriodVintages extends PeriodValues {
  readonly vintages: readonly PrintVintage[];
}

/** Reads what a source tells of each period at the moment of the question. */
export async function witnessOf(
  ask: MirrorQuestion,
  { series, place }: { readonly series: StoredSeries; readonly place: number },
): Promise<Witness<StoredSeries>> {
  const { reader, visible, question } = ask;
  const hasKept = asksForVintages(visible.args);
  const read = async () => {
    const rows = await reader.rows(series, everythingVisible(question.endpoint, visible));
    // Replaced values are read only for questions about vintages.
    const kept = hasKept ? await keptValues(reader, series) : undefined;
    const stored = membersOf(ask, series);
    const periods = rows.map((row): [string, PeriodVintages] => {
      const date = String(row.key[0]);
      const print = { ...readPrint(row.text), kept: kept?.get(date) };
      const all = printVintages(print);
      const vintages = visible.cutoff === undefined ? all : releasedBy(all, secondsToNs(visible.cutoff) ?? 0n);
      const view = { stored, isFromFile: true, args: { revisions: 'first' } };
      return [date, periodOf(row, vintages, !hidesFirst(view, print))];
    });
    return { periods: new Map(periods) };
  };
  const name = `periods ${hasKept ? 'kept' : 'latest'} ${visible.cutoff}`;
  const { periods } = ask.asOf ? await read() : await ask.state.ofName(ask.state.named([series], name), read);
  return { source: series, place, periods };
}

function periodOf(row: StoredRow, vintages: readonly PrintVintage[], isChecked: boolean): PeriodVintages {
  const listed = vintages.filter(({ entry }) => entry !== undefined);
  const newest = newestVintage(vintages, 'public');
  const timed = listed.flatMap(({ known, value }) => (known.public === undefined ? [] : [{ at: known.public, value }]));
  const earliest = timed.reduce<(typeof timed)[number] | undefined>(
    (best, one) => (best && best.at <= one.at ? best : one),
    undefined,
  );
  const first = listed.find(({ isFirst }) => isFirst === true) ?? vintages[0];
  const value = newest?.value ?? 'null';
  return {
    value,
    since: listed.findLast((vintage) => vintage.value === value)?.known.public,
    seenAt: row.known ? BigInt(row.known.ns) : BigInt(row.seenAt) * 1_000_000n,
    earliest,
    first: isChecked && first ? { at: first.entry && first.known.public, value: first.value } : undefined,
    vintages,
  };
}

/** Does a question ask for periods with a certain first print? */
export function asksForPrints({ visible: { args } }: MirrorQuestion): boolean {
  return args.revisions === 'first' || args.revisions === 'final';
}

/** Does a question ask for other vintages than the newest? */
export function asksForVintages({ revisions = 'latest' }: Args): boolean {
  return revisions !== 'latest';
}

export function mergedVintages(witnesses: readonly Witness<StoredSeries>[]): MergedVintages {
  const first = firstWitness(witnesses);
  const newest = newestWitness(witnesses);
  const confirmed = new Map(witnesses.map((witness) => [witness, confirmedTimes(witness)]));
  /** The current value of a source that had another one in between: no vintage of its own says so. */
  const saidAgain = (date: string, last: NamedVintage | undefined): readonly NamedVintage[] => {
    const witness = newest(date);
    if (!witness) return [];
    const own = vintagesOf(witness, date);
    const at = confirmed.get(witness)?.get(date);
    const vintage = own?.vintages.findLast(({ entry, value }) => entry && value === own.value);
    if (!vintage?.entry || at === undefined || !last || last.vintage.value === vintage.value) return [];
    const text = patchRow(vintage.entry.text, { epoch: toJsonText(Number(at / NANO)), is_first_release: undefined });
    return [
      {
        vintage: { ...vintage, isFirst: undefined, known: { ...vintage.known, public: at } },
        text,
        origin: witness.source.origin,
      },
    ];
  };
  const vintagesOf = ({ periods }: Witness<StoredSeries>, date: string) =>
    periods.get(date) as PeriodVintages | undefined; // made above
  return {
    series: witnesses.map(({ source }) => source),
    firstAt(date) {
      const witness = first(date);
      return witness ? witness.periods.get(date)?.first?.at : null;
    },
    listOf(date) {
      const firstAt = first(date)?.periods.get(date)?.first?.at;
      const all = witnesses.flatMap((witness) =>
        (vintagesOf(witness, date)?.vintages ?? []).flatMap((vintage) =>
          vintage.entry ? [{ vintage, text: vintage.entry.text, origin: witness.source.origin }] : [],
        ),
      );
      all.sort((a, b) => Number(timeOf(a) > timeOf(b)) - Number(timeOf(a) < timeOf(b)));
      // Another source tells a value again that is in force already.
      const changes = all.filter(({ vintage: { value } }, i) => value !== all[i - 1]?.vintage.value);
      const texts = [...changes, ...saidAgain(date, changes.at(-1))].map((one) =>
        entryText(one, timeOf(one) === firstAt),
      );
      return texts.length === 0 ? undefined : asJsonText(`[${texts.join(',')}]`);
    },
  };
}

const NANO = 1_000_000_000n;

interface NamedVintage {
  readonly vintage: PrintVintage;
  readonly text: JsonText;
  readonly origin: string;
}

const timeOf = ({ vintage: { known } }: NamedVintage) => known.public ?? known.captured ?? 0n;

function entryText({ vintage, text, origin }: NamedVintage, isFirst: boolean): JsonText {
  const isWrongFirst = vintage.isFirst === true && !isFirst;
  return patchRow(text, { origin: toJsonText(origin), ...(isWrongFirst && { is_first_release: undefined }) });
}
