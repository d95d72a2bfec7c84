import type { SeriesRef } from '../../contract/hooks.ts';
import { asJsonText, readJson, toJsonText } from '../../contract/json/json.ts';
import { MacroError } from '../../errors.ts';
import type { PageCommit, UnfinishedWalk } from '../api/page-commit.ts';
import type { Binding, DataKind, SeriesTime, Stamp, StoredEnvelope, StoredSeries } from '../api/series.ts';
import type { SystemRows } from './system-tables.ts';

type StampRow = SystemRows['mirror'];

type SeriesRow = SystemRows['series'];

/** The record of a walk: some of its pages may have stored rows back. */
export interface UnfinishedWalkRow extends UnfinishedWalk {
  readonly heldBack?: boolean;
}
/** Requests contain dates, so new ones come every day: only this many validators of a series and access are stored. */
export const MAX_VALIDATORS = 50;

/** The mirror's one row about it. @throws MacroError of kind `mirror`. */
export function stampFrom(row: StampRow | undefined, path: string): Stamp {
  if (!row) throw new MacroError('mirror', `The mirror ${path} has lost its stamp.`, { hint: RESTORE });
  const { id, service, nature, bindings } = row;
  return {
    ...{ id, service: service ?? undefined, nature: natureOf(nature) },
    ...(bindings && { bindings: readJson<readonly Binding[]>(bindings) }),
  };
}

/** The stamp after an answer; undefined when it decides nothing. @throws MacroError of kind `mirror`. */
export function decideStamp(
  stamp: Stamp,
  { series, nature }: Pick<PageCommit, 'series' | 'nature'>,
  path: string,
): Pick<StampRow, 'service' | 'nature'> | undefined {
  const service = series.origin.startsWith('import:') ? undefined : series.origin;
  if (stamp.nature !== undefined && stamp.nature !== nature)
    throw new MacroError('mirror', `The mirror ${path} has ${stamp.nature} data; this is ${nature}.`, {
      hint: 'Keep it in a mirror of its own: --mirror FILE.',
      code: 'mirror_nature',
    });
  if (stamp.service !== undefined && service !== undefined && stamp.service !== service)
    throw ofAnotherService(path, stamp.service, service);
  const decides = stamp.nature === undefined || (stamp.service === undefined && service !== undefined);
  return decides ? { service: stamp.service ?? service ?? null, nature } : undefined;
}

export function ofAnotherService(path: string, bound: string | undefined, service: string): MacroError {
  return new MacroError('mirror', `The mirror ${path} has answers of ${bound}, not of ${service}.`, {
    hint: `Keep the other service in a mirror of its own: --mirror FILE. If it has moved: macro mirror bind ${service}`,
    code: 'mirror_service',
  });
}

const RESTORE = 'Restore a backup, or name another file with --mirror.';

function natureOf(text: string | null): DataKind | undefined {
  return text === 'real' || text === 'synthetic' ? text : undefined;
}

/** The stamp of a new mirror. */
export interface Birth {
  readonly id: string;
  /** Milliseconds. */
  readonly created: number;
}

/** One spelling for one scope: names sorted, nothing undefined. */
export function scopeText(scope: Readonly<Record<string, string>>): string {
  return toJsonText(Object.fromEntries(Object.entries(scope).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Does a reference name all that there is to name of a series? */
export function isWhole(ref: SeriesRef, scopeNames: readonly string[]): boolean {
  return ref.exact === true || scopeNames.every((name) => Object.hasOwn(ref.scope, name));
}

export function storedSeriesOf(row: SystemRows['series']): StoredSeries {
  return {
    id: row.id,
    origin: row.origin,
    endpoint: row.endpoint,
    scope: readJson(row.scope),
    state: row.state,
    chain: row.history,
    envelope: envelopeOf(row),
    checkedAt: row.checked_at,
    ...(row.closed_at > 0 && { closedAt: row.closed_at }),
  };
}

/** The found series that hold at a time. Several series may have one name: closed ones hold until they were closed. */
export function seriesAt(found: readonly StoredSeries[], time: SeriesTime = 'now'): readonly StoredSeries[] {
  if (time === 'ever' || found.every(({ closedAt }) => closedAt === undefined)) return found;
  const at = time === 'now' ? Number.MAX_VALUE : time;
  const endOf = ({ closedAt = Number.POSITIVE_INFINITY }: StoredSeries) => closedAt;
  const first = new Map<string, StoredSeries>();
  for (const series of found) {
    const name = `${scopeText(series.scope)} ${series.origin}`;
    const known = first.get(name);
    if (endOf(series) > at && (!known || endOf(series) < endOf(known))) first.set(name, series);
  }
  const meant = new Set(first.values());
  return found.filter((series) => meant.has(series));
}

function envelopeOf(row: SeriesRow): StoredEnvelope | undefined {
  const { envelope, envelope_inputs: inputs, envelope_rows: rows } = row;
  if (envelope === null || inputs === null || rows === null) return undefined;
  return { text: asJsonText(envelope), inputs, rows };
}

export function unfinishedWalkOf({ heldBack: _, ...walk }: UnfinishedWalkRow): UnfinishedWalk {
  // JSON leaves undefined members out; the type says that they are there.
  return { ...walk, total: walk.total, lastKey: walk.lastKey };
}

/** Rows of earlier pages of this walk were withheld. A page that belongs to no walk says nothing of one. */
export function wasWithheld(kept: UnfinishedWalkRow | undefined, walk: UnfinishedWalk | null | undefined): boolean {
  if (walk === undefined) return false;
  return kept?.heldBack === true && (walk === null || walk.startedAt === kept.startedAt);
}
