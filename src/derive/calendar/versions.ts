import type { Compose, Composed, Envelope, HookContext, LoadedSeries } from '../../contract/hooks.ts';
import { dateOf, isoSeconds } from '../../contract/time/time.ts';
import { missingAll } from '../../coverage/missing-parts.ts';
import { MacroError } from '../../errors.ts';
import {
  type Archive,
  archiveRelease,
  archiveStart,
  bySchedule,
  COVERAGE,
  type CoverageArgs,
  isComplete,
  isThisPage,
  readArchive,
  SNAPSHOTS,
  stateAt,
  VERSIONS,
  type Version,
} from './archive.ts';
import { type CheckpointArgs, cutPage, movesByTheHour, openCheckpoint, seenFrom } from './checkpoint.ts';

export interface SnapshotArgs extends CheckpointArgs, CoverageArgs {
  /** Unix seconds. */
  readonly as_of: number;
  readonly importance?: readonly string[] | undefined;
  readonly event_kind?: readonly string[] | undefined;
}

/** The schedule at an instant: its snapshot, else the newest captures. See docs/interface-endpoints.md#calendar-snapshot. */
export const composeSnapshot: Compose<SnapshotArgs> = {
  version: 1,
  reads: ({ currency }) => [
    { endpoint: SNAPSHOTS, scope: { currency } },
    { endpoint: VERSIONS, scope: { currency } },
    { endpoint: COVERAGE, scope: { currency } },
  ],
  // Nobody can tell from stored versions which events the service has besides.
  vouches: (args, picked) => {
    const series = picked.filter(({ endpoint, scope }) => endpoint === SNAPSHOTS && isOf(args, scope.as_of));
    return series.length > 0 ? { series } : undefined;
  },
  dependsOn: movesByTheHour,
  build: buildSnapshot,
};

const isOf = ({ as_of: asOf }: SnapshotArgs, scope: string | undefined): boolean => scope === String(asOf);

function buildSnapshot(loaded: readonly LoadedSeries[], context: HookContext<SnapshotArgs>): Composed | undefined {
  const { args, now } = context;
  const own = loaded.find(({ ref }) => ref.endpoint === SNAPSHOTS && isOf(args, ref.scope.as_of));
  if (own && !FILTERS.some((name) => args[name] !== undefined) && isThisPage(own, args))
    return { envelope: own.envelope, rows: own.rows.map(({ text }) => text), total: own.rows.length, missingParts: [] };
  const checkpoint = openCheckpoint({ ...args }, { loaded, now });
  const seen = seenFrom(checkpoint, loaded);
  const listed = own && isComplete(own) ? seen.filter(({ ref }) => ref === own.ref) : undefined;
  const archive = readArchive(listed ?? seen);
  if (archive.events.size === 0 && !listed && !archive.coverage) return undefined;
  const start = archiveStart(archive);
  const isBefore = !listed && start !== undefined && args.as_of < start;
  const state = isBefore ? [] : listed ? [...archive.events.values()].flat() : stateAt(archive, args.as_of);
  const chosen = state.filter((version) => isAsked(version, args)).sort(bySchedule);
  const { rows, envelope } = cutPage(checkpoint, args, chosen);
  const sure = listed !== undefined || archive.whole || (isBefore && archive.coverage !== undefined);
  return {
    envelope: {
      ...(listed && own?.envelope),
      currency: args.currency,
      as_of: isoSeconds(args.as_of),
      filters: Object.fromEntries(FILTERS.map((name) => [name, args[name] ?? null])),
      data_quality: qualityOf(chosen, reasonOf(archive, { isBefore, sure })),
      ...envelope,
    },
    rows: rows.map(({ text }) => text),
    total: chosen.length,
    missingParts: sure ? [] : [missingAll(SNAPSHOTS, { currency: args.currency, as_of: String(args.as_of) })],
  };
}

function reasonOf({ coverage }: Archive, facts: { readonly isBefore: boolean; readonly sure: boolean }) {
  if (facts.isBefore) return coverage ? 'before_archive_start' : 'before_held_versions';
  return facts.sure ? undefined : 'held_versions_only';
}

const FILTERS = ['start_date', 'end_date', 'indicator', 'importance', 'event_kind'] as const;

/** Dates are UTC days of the scheduled time; a filter on something that a version does not tell leaves it out. */
function isAsked(version: Version, args: SnapshotArgs): boolean {
  const { row } = version;
  const release = archiveRelease(version);
  const day = release === Number.MAX_SAFE_INTEGER ? undefined : dateOf(release * 1000);
  const { start_date: from, end_date: to } = args;
  if (from !== undefined && (day === undefined || day < from)) return false;
  if (to !== undefined && (day === undefined || day > to)) return false;
  if (args.indicator !== undefined && row.release !== args.indicator) return false;
  return isIn(args.importance, row.event_importance) && isIn(args.event_kind, row.event_kind);
}

function isIn(values: readonly string[] | undefined, value: unknown): boolean {
  return values === undefined || (typeof value === 'string' && values.includes(value));
}

function qualityOf(rows: readonly Version[], reason: string | undefined): Envelope {
  return {
    row_count: rows.length,
    is_derived: reason === 'held_versions_only',
    quality_scope: 'scheduled_releases',
    reason,
  };
}

export interface VersionsArgs extends CheckpointArgs {
  readonly currency: string;
  readonly archive_event_id: string;
}

/** The versions of an event, oldest first, by any of its ids. See docs/interface-endpoints.md#calendar-versions. */
export const composeVersions: Compose<VersionsArgs> = {
  version: 1,
  reads: ({ currency }) => [
    { endpoint: VERSIONS, scope: { currency } },
    { endpoint: COVERAGE, scope: { currency } },
  ],
  selectSeries: ({ archive_event_id: id }, stored) => {
    const own = stored.filter(({ endpoint, scope }) => endpoint === VERSIONS && scope.archive_event_id === id);
    return own.length > 0 ? own : stored;
  },
  // Other lists may give only a part of an event.
  vouches: ({ archive_event_id: id }, picked) => {
    const series = picked.filter(({ scope }) => scope.archive_event_id === id);
    return series.length > 0 ? { series } : undefined;
  },
  dependsOn: movesByTheHour,
  build: buildVersions,
};

function buildVersions(loaded: readonly LoadedSeries[], context: HookContext<VersionsArgs>): Composed | undefined {
  const { args } = context;
  const own = loaded.find(({ ref }) => ref.scope.archive_event_id === args.archive_event_id);
  if (own && isThisPage(own, args))
    return { envelope: own.envelope, rows: own.rows.map(({ text }) => text), total: own.rows.length, missingParts: [] };
  const checkpoint = openCheckpoint({ ...args }, { loaded, now: context.now });
  const archive = readArchive(seenFrom(checkpoint, loaded));
  const event = findEvent(archive, args.archive_event_id);
  if (event === undefined) {
    if (archive.whole) throw unknownEvent(args);
    return undefined;
  }
  const versions = archive.events.get(event) ?? [];
  const { rows, envelope } = cutPage(checkpoint, args, versions);
  const sure = own ? isComplete(own) : archive.whole;
  return {
    envelope: {
      ...own?.envelope,
      currency: args.currency,
      archive_event_id: event,
      ...(!sure && { data_quality: { row_count: versions.length, reason: 'held_versions_only' } }),
      ...envelope,
    },
    rows: rows.map(({ text }) => text),
    total: versions.length,
    missingParts: sure ? [] : [missingAll(VERSIONS, { currency: args.currency, archive_event_id: event })],
  };
}

/** The event of an archive id, or of the calendar id of any of its versions. */
function findEvent({ events }: Archive, id: string): string | undefined {
  if (events.has(id)) return id;
  for (const [event, versions] of events) if (versions.some(({ row }) => row.calendar_event_id === id)) return event;
  return undefined;
}

function unknownEvent({ currency, archive_event_id: id }: VersionsArgs): MacroError {
  return new MacroError('notFound', `The calendar archive of ${currency} has no event '${id}'.`, {
    status: 404,
    code: 'unknown_resource',
    hint: `See which events there are: macro calendar snapshot ${currency.toLowerCase()} --as-of today`,
  });
}
