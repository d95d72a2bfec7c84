import { MAPPINGS } from '../../../src/endpoints/index.ts';
import type { CommitClock } from '../../../src/mirror/rules/as-of/dated.ts';
import { type Table, tableOf } from '../../../src/mirror/rules/tables.ts';
import {
  knownAt,
  listedVintages,
  type RowVersionTuple,
  rowVersionOf,
  type StoredRowVersion,
  type VintageTuple,
  vintageFrom,
} from '../../../src/mirror/rules/vintages.ts';

function tableFor(endpoint: string): Table {
  const mapping = MAPPINGS[endpoint];
  if (!mapping) throw new Error(`${endpoint} is not mirrored`);
  return tableOf(endpoint, mapping);
}

/** Rows list their vintages here, are dated by their key and come newest first. */
export const TABLE = tableFor('announcements');
/** Rows list none, are found by an instant and come oldest first. */
export const EVENTS = tableFor('calendar');

/** 2026-11-21T00:00:00Z in Unix seconds; every commit is an hour after the one before it. */
export const START = 1_795_219_200;
export const HOUR = 3600;
export const DAY = 86_400;

export const clock: CommitClock = {
  at: (commit) => (START + commit * HOUR) * 1000,
  lastBy: (ms) => Math.max(0, Math.floor((ms / 1000 - START) / HOUR)),
};

/** Unix nanoseconds of seconds after the start. */
export const ns = (seconds: number): bigint => BigInt(START + seconds) * 1_000_000_000n;

/** A text that a row had; times in seconds after the start. */
export interface Text {
  readonly seen: number;
  readonly ended?: number;
  readonly refreshed?: number;
  readonly val: number;
  readonly release?: number;
  /** The release comes from an importer's rule. */
  readonly assumed?: number;
  readonly keyed?: true;
  readonly list?: readonly object[];
  /** Further members. */
  readonly more?: object;
}

/** An entry of a row's list that was published so many seconds after the start. */
export const entry = (after: number, val: number, more: object = {}) => ({ epoch: START + after, val, ...more });
export const captured = (after: number) => ({ observed_at_ns_string: `${START + after}000000000` });
/** An entry whose time is its own. */
export const owner = (after: number, val: number) => entry(after, val, { publication_time_status: 'confirmed' });

export function textOf({ val, release, list, more }: Text, date = '2026-10-31'): string {
  return JSON.stringify({
    date,
    val,
    ...(release !== undefined && { announcement_datetime: START + release }),
    ...(list && { revisions: list }),
    ...more,
  });
}

/** A row with these texts, as a mirror stores it: each entry of its lists once, as the first text brought it. */
export function storedRow(texts: readonly [Text, ...Text[]], date = '2026-10-31'): StoredRowVersion {
  const tuple = (text: Text): RowVersionTuple => [
    text.ended ?? null,
    text.seen,
    text.refreshed ?? null,
    text.release === undefined ? null : START + text.release,
    text.assumed === undefined ? null : START + text.assumed,
    text.keyed ? 1 : 0,
    textOf(text, date),
    date,
  ];
  const [first, ...others] = texts;
  const listed = new Map<string, VintageTuple>();
  for (const text of texts)
    for (const one of listedVintages('revisions', textOf(text))) {
      const name = `${knownAt(one)} ${one.value}`;
      const { epoch = null, observed, value } = one;
      const known = String(knownAt(one));
      const seen = text.seen;
      if (!listed.has(name))
        listed.set(name, [known, epoch, observed === undefined ? null : String(observed), seen, value, one.text, date]);
    }
  return { key: [date], texts: [tuple(first), ...others.map(tuple)], listed: [...listed.values()] };
}

/** The same as texts and entries, in the order in which they came. */
export function keptRow(texts: readonly [Text, ...Text[]], date?: string) {
  const stored = storedRow(texts, date);
  return { stages: stored.texts.map((one) => rowVersionOf(TABLE, one)), listed: stored.listed.map(vintageFrom) };
}
