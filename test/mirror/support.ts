import { join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { asJsonText, isJsonObject } from '../../src/contract/json/json.ts';
import type { Mapping } from '../../src/contract/mapping.ts';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import type { Mirror, MirrorReader } from '../../src/mirror/api/mirror.ts';
import type { NewRow, PageCommit, UnfinishedWalk } from '../../src/mirror/api/page-commit.ts';
import type { SeriesKey, StoredSeries } from '../../src/mirror/api/series.ts';
import { type OpenOptions, openMirror } from '../../src/mirror/sqlite/open.ts';
import { testPlatform } from '../support/platform.ts';

export const SERVICE = 'https://api.example.test';

/** 2026-11-21T00:00:00Z in milliseconds. */
export const MIDNIGHT = 1_795_219_200_000;

export const EURUSD: SeriesKey = { origin: SERVICE, endpoint: 'forex', scope: { base: 'EUR', quote: 'USD' } };
export const INFLATION: SeriesKey = {
  origin: SERVICE,
  endpoint: 'announcements',
  scope: { currency: 'USD', indicator: 'inflation' },
};
export const CALENDAR: SeriesKey = { origin: SERVICE, endpoint: 'calendar', scope: { currency: 'USD' } };

export interface TestMirror {
  readonly mirror: Mirror;
  /** Path of the file, or address of the server. */
  readonly path: string;
  /** Another opening of the same mirror, closed with the test. */
  again(options?: Partial<Pick<OpenOptions, 'mode' | 'mappings' | 'platform' | 'busyTimeout'>>): Promise<Mirror>;
  /** What any program reads from it. */
  sql(query: string): Promise<readonly unknown[]>;
  /** Changes it as a newer version of the program may, and sets the version. */
  upgrade(...changes: readonly string[]): Promise<void>;
}

/** Makes an empty mirror of an engine, closed when the test ends. */
export type FreshMirror = (mappings?: Readonly<Record<string, Mapping>>) => Promise<TestMirror>;

/** A mirror in a fresh folder, closed when the test ends. */
export async function testMirror(mappings: Readonly<Record<string, Mapping>> = MAPPINGS): Promise<TestMirror> {
  const { platform, folder } = testPlatform({ now: MIDNIGHT });
  const path = join(folder, 'mirror.db');
  const again = async (options: Partial<OpenOptions> = {}) => {
    const mirror = await openMirror({ path, mappings, platform, mode: 'write', ...options });
    onTestFinished(() => mirror.close());
    return mirror;
  };
  const upgrade = async (...changes: readonly string[]) => {
    const db = new Database(path);
    for (const change of changes) db.exec(change);
    db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true })) + 1}`);
    db.close();
  };
  return { mirror: await again(), path, again, sql: async (query) => sql(path, query), upgrade };
}

/** A row as received: exactly this text. */
export function row(text: string, extra: Partial<NewRow> = {}): NewRow {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new Error('A row is an object');
  return { text: asJsonText(text), value, ...extra };
}

/** A commit of rows of EUR/USD with a key, at midnight, unless said otherwise. */
export function page(rows: readonly (string | NewRow)[], changes: Partial<PageCommit> = {}): PageCommit {
  return {
    series: EURUSD,
    nature: 'real',
    access: 'key:1',
    request: 'GET /v1/forex/EUR/USD',
    question: 'forex EUR USD',
    rows: rows.map((one) => (typeof one === 'string' ? row(one) : one)),
    extent: 'adds',
    at: MIDNIGHT,
    ...changes,
  } as PageCommit; // members of one kind, as the test says
}

/** A daily rate as a row's text. */
export const rate = (date: string, val: number | string): string => `{"date":"${date}","val":${val}}`;

export async function held(mirror: MirrorReader, { endpoint, scope }: SeriesKey = EURUSD): Promise<StoredSeries> {
  const [series] = await mirror.find({ endpoint, scope, exact: true });
  if (!series) throw new Error(`${endpoint} is not held`);
  return series;
}

/** Texts of the current rows in answer order. */
export async function texts(mirror: MirrorReader, key: SeriesKey = EURUSD): Promise<readonly string[]> {
  return (await mirror.rows(await held(mirror, key), {})).map((one) => one.text);
}

/** What any SQLite program can do to the file. */
export function edit(path: string, change: string | ((db: Database.Database) => void)): void {
  const db = new Database(path);
  try {
    if (typeof change === 'string') db.exec(change);
    else change(db);
  } finally {
    db.close();
  }
}

/** What any SQLite program reads from the file. */
export function sql(path: string, query: string, ...values: unknown[]): unknown[] {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare(query).all(...values);
  } finally {
    db.close();
  }
}

/** A walk over these dates that has seen so many of its three rows. */
export function walkOver(from: string, to: string, seen: number): UnfinishedWalk {
  return {
    ...{ question: 'q', from, to, next: String(seen), total: 3, seen },
    ...{ lastKey: undefined, seams: [], startedAt: MIDNIGHT },
  };
}
