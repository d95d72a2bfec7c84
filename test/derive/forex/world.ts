import { existsSync, readFileSync } from 'node:fs';
import type { HookContext, LoadedRow, LoadedSeries } from '../../../src/contract/hooks.ts';
import { asJsonText, type JsonObject, toJsonText } from '../../../src/contract/json/json.ts';
import { FULL_COVERAGE, NO_COVERAGE } from '../../../src/contract/time/coverage.ts';
import { composeForex, type ForexArgs } from '../../../src/derive/fx/forex.ts';

export const SERVICE = 'https://api.example.test';
export const ECB = 'import:ECB';

const ECB_FILE = '../shared/data/ecb-reference-rates.csv';
/** Official rates to compare with; absent outside of the project's own workshop, where tests that need them skip. */
export const hasEcbFile = existsSync(ECB_FILE);

/** The published table by date and currency, in the file's own spelling and order (newest first). */
export function readEcbFile(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const [header = '', ...lines] = readFileSync(ECB_FILE, 'utf8').trim().split('\n');
  const names = header.split(',');
  return new Map(
    lines.map((line) => {
      const cells = line.split(',');
      const rates = names.map((name, i) => [name, cells[i] ?? ''] as const).slice(1);
      return [cells[0] ?? '', new Map(rates.filter(([name, rate]) => name !== '' && rate !== '' && rate !== 'N/A'))];
    }),
  );
}

/** The series of a currency as the importer keeps it. */
export function ecbSeries(quote: string): LoadedSeries {
  const rates: [string, string][] = [];
  for (const [date, table] of readEcbFile()) {
    const rate = table.get(quote);
    if (rate !== undefined) rates.push([date, rate]);
  }
  return imported(quote, rates);
}

/** A series of a bulk file: rates newest first, as spelled. */
export function imported(quote: string, rates: readonly (readonly [string, string])[]): LoadedSeries {
  return {
    ref: { origin: ECB, endpoint: 'forex', scope: { base: 'EUR', quote } },
    envelope: {
      base: 'EUR',
      quote,
      source: 'European Central Bank',
      provenance: { publisher: 'European Central Bank', publisher_url: 'https://bank.test/rates' },
      pair_metadata: { source_legs: [ecbLeg(quote)] },
      data_quality: { source_name: 'Euro foreign exchange reference rates', source_type: 'official' },
    },
    rows: rates.map(([date, rate]) => loadedRow(`{"date":"${date}","val":${rate}}`)),
    coverage: FULL_COVERAGE,
    proven: true,
  };
}

export function ecbLeg(quote: string) {
  return {
    pair: `EUR/${quote}`,
    source_provider: 'European Central Bank',
    source_name: 'Euro foreign exchange reference rates',
    source_url: 'https://bank.test/rates',
    source_frequency: 'daily',
  };
}

/** A series that came over the wire: texts of rows, newest first. */
export function fromService(
  pair: string,
  rows: readonly string[],
  more: { envelope?: JsonObject; proven?: boolean } = {},
): LoadedSeries {
  const [base = '', quote = ''] = pair.split('/');
  return {
    ref: { origin: SERVICE, endpoint: 'forex', scope: { base, quote } },
    envelope: more.envelope ?? { base, quote, source: 'Example Dataset' },
    rows: rows.map(loadedRow),
    coverage: more.proven === false ? NO_COVERAGE : FULL_COVERAGE,
    proven: more.proven ?? true,
  };
}

function loadedRow(text: string): LoadedRow {
  const { date, val, open = null, high = null, low = null, close = null } = JSON.parse(text);
  return { columns: { date, val, open, high, low, close }, text: asJsonText(text) };
}

/** Asks for a pair (`GBP/JPY`) over what is loaded, on 2026-04-14. */
export function ask(pair: string, loaded: readonly LoadedSeries[], args: Partial<ForexArgs> = {}) {
  const [base = '', quote = ''] = pair.split('/');
  const whole: ForexArgs = {
    base,
    quote,
    start_date: '1999-01-01',
    end_date: '2026-04-14',
    indicators: undefined,
    limit: 20,
    offset: 0,
    ...args,
  };
  const picked = composeForex.selectSeries?.(
    whole,
    loaded.map(({ ref }) => ref),
  );
  const used = loaded.filter(({ ref }) => picked?.includes(ref));
  const series = used.map((one) => asRead(one, whole));
  const joined = composeForex.join(series, whole, (_, make) => make());
  return joined && composeForex.slice(joined, contextOf(whole), { name: '', closedAt: () => undefined });
}

/** A series as the mirror hands it over: whole columns, and those rows that the answer shows. */
function asRead(series: LoadedSeries, args: ForexArgs): LoadedSeries {
  const wanted = composeForex.rowsNeeded?.(args, series.ref);
  if (!wanted || !('from' in wanted)) return series;
  const { columns: names, from, to } = wanted;
  const column = (name: string) => series.rows.map(({ columns }) => columns[name] ?? null);
  const filled = names.filter((name) => column(name).some((value) => value !== null));
  return {
    ...series,
    columns: Object.fromEntries(filled.map((name) => [name, column(name)])),
    rows: [],
    shown: {
      to,
      texts: series.rows
        .filter(({ columns: { date } }) => String(date) >= from && String(date) <= to)
        .map(({ text }) => text),
    },
  };
}

function contextOf(args: ForexArgs): HookContext<ForexArgs> {
  return {
    args,
    now: Date.UTC(2026, 3, 14, 12) / 1000,
    caller: { kind: 'owner' },
    labels: { service: 'macro', storage: 'test mirror', publicBaseUrl: '', subscribeUrl: '', docsUrl: '' },
  };
}

/** An answer as it reads once it is text: rows and members parsed. */
export function parsed(pair: string, loaded: readonly LoadedSeries[], args: Partial<ForexArgs> = {}) {
  const answer = ask(pair, loaded, args);
  if (!answer) throw new Error(`nothing held for ${pair}`);
  const envelope = JSON.parse(toJsonText(answer.envelope));
  return { ...answer, envelope, data: answer.rows.map((text) => JSON.parse(text)) };
}
