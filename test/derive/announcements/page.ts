import { KEYLESS_DAYS, releaseCutoff } from '../../../src/contract/access.ts';
import type { Caller, Derived, KeptValue, PageView, ViewRow } from '../../../src/contract/hooks.ts';
import { asJsonText, type JsonObject } from '../../../src/contract/json/json.ts';
import { FULL_COVERAGE } from '../../../src/contract/time/coverage.ts';
import { addDays, dateOf, parseInstant } from '../../../src/contract/time/time.ts';

export const LABELS = {
  service: 'macro',
  storage: 'mirror',
  publicBaseUrl: 'http://localhost',
  subscribeUrl: 'https://svc.example/subscribe',
  docsUrl: 'https://svc.example/docs',
};

export interface Situation<A> {
  /** All held rows, newest first. */
  readonly rows: readonly string[];
  readonly stored?: JsonObject;
  readonly args: A;
  readonly now: string;
  readonly caller?: Caller['kind'];
  readonly commits?: readonly number[];
  readonly kept?: ReadonlyMap<string, readonly KeptValue[]>;
}

interface Windowed {
  readonly start_date: string;
  readonly end_date: string;
  readonly limit: number;
  readonly offset: number;
}

/** What a mirror would show a hook: the asked page of rows that the caller may see, and looks at its neighbours. */
export function pageOf<A extends Windowed>(situation: Situation<A>): PageView<A> {
  const now = parseInstant(situation.now) ?? 0;
  const kind = situation.caller ?? 'keyed';
  const caller: Caller = kind === 'keyed' ? { kind, plan: 'individual' } : { kind };
  const first = addDays(dateOf(now * 1000), -KEYLESS_DAYS);
  const isKeyless = kind === 'keyless';
  const args =
    isKeyless && situation.args.start_date < first ? { ...situation.args, start_date: first } : situation.args;
  const held = situation.rows.map((text, i) => ({ text: asJsonText(text), row: JSON.parse(text), i }));
  const released = held.filter(({ row }) => !isKeyless || !(row.announcement_datetime > releaseCutoff(now)));
  const visible = released.filter(({ row }) => !isKeyless || row.date >= first);
  const window = visible.filter(({ row }) => row.date >= args.start_date && row.date <= args.end_date);
  const page = window.slice(args.offset, args.offset + args.limit);
  const texts = (rows: typeof held): readonly ViewRow[] =>
    rows.map(({ text, row, i }) => {
      const commit = situation.commits?.[i];
      return { key: [row.date], text, ...(commit !== undefined && { commit }) };
    });
  const last = page.at(-1);
  const follow = last
    ? released.filter(({ row }) => row.date < last.row.date)
    : visible.filter(({ row }) => row.date <= args.end_date);
  return {
    args,
    now,
    caller,
    labels: LABELS,
    coverage: FULL_COVERAGE,
    stored: situation.stored ?? {},
    rows: texts(page),
    total: window.length,
    window: async () => texts(window),
    following: async (count) => texts(follow.slice(0, count)),
    everything: async () => texts(visible),
    edge: async (which) => texts(visible).at(which === 'newest' ? 0 : -1),
    ...(situation.kept && { kept: async () => situation.kept ?? new Map() }),
  };
}

/** The rows that a hook answers with, parsed; those of the page when it leaves them alone. */
export function rowsOf(derived: Derived, view?: { readonly rows: readonly ViewRow[] }): readonly JsonObject[] {
  return (derived.rows ?? view?.rows.map(({ text }) => text) ?? []).map((text) => JSON.parse(text));
}

/** Members as they would stand in a body: without the undefined ones. */
export function bodyOf(derived: Derived): JsonObject {
  return JSON.parse(JSON.stringify(derived.envelope ?? {}));
}
