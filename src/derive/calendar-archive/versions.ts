import type { Compose, Composed, HookContext, LoadedSeries } from '../../contract/hooks.ts';
import { MacroError } from '../../errors.ts';
import { type CheckpointArgs, cutPage, movesByTheHour, openCheckpoint, seenFrom } from '../checkpoint.ts';
import { lackOfAll } from '../lacks.ts';
import { type Archive, COVERAGE, readArchive, VERSIONS } from './archive.ts';
import { isComplete, isThisPage } from './captured.ts';

export interface VersionsArgs extends CheckpointArgs {
  readonly currency: string;
  readonly archive_event_id: string;
}

/**
 * The schedule versions of one event, oldest first. Walk: the event's own list where it is stored; else the event is looked
 * for in everything that is stored of the currency's archive, by its archive id or by a calendar id that it once had.
 * See docs/interface.md#calendar-versions.
 */
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
  // What other lists tell of an event need not be all of it.
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
    return { envelope: own.envelope, rows: own.rows.map(({ text }) => text), total: own.rows.length, lacks: [] };
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
    lacks: sure ? [] : [lackOfAll(VERSIONS, { currency: args.currency, archive_event_id: event })],
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
