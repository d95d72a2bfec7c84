// Beside its rows, an answer has facts about the whole series. If they contradict the stored rows, a doubt is noted;
// a sync settles it.
import { isSameForAll } from '../../contract/access.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type JsonObject, jsonEqual, objectIn } from '../../contract/json/json.ts';
import { addDays } from '../../contract/time/time.ts';
import {
  ALL_DATES,
  calendarDate,
  counting,
  doubtsOf,
  type StoredBeside,
  versionDoubt,
  versionSays,
  wholeDifferences,
  wholeShown,
} from '../../coverage/doubts.ts';
import { covers } from '../../coverage/intervals.ts';
import type { Mirror, MirrorReader } from '../../mirror/api/mirror.ts';
import type { AnswerCommit } from '../../mirror/api/page-commit.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import type { ReceivedAnswer } from './answer-commit.ts';

/** Compares an answer that was stored with the rest of its series. Nothing is compared until a sync has read all of it. */
export async function raiseDoubts(
  mirror: Mirror,
  { endpoint, args }: Pick<ReceivedAnswer, 'endpoint' | 'args'>,
  { commit, envelope }: { readonly commit: AnswerCommit; readonly envelope: JsonObject },
): Promise<void> {
  const { series: key, access, at } = commit;
  const { sync, window } = endpoint.mirror ?? {};
  const isHistory = sync?.kind === 'history' && window?.unit === 'date';
  // Without a key a service may show less than there is.
  const showsAll = access !== 'keyless' || isSameForAll(endpoint.access);
  if (!isHistory || endpoint.paging.kind !== 'offset' || !showsAll || commit.extent === 'adds') return;
  const found = await mirror.find({ endpoint: key.endpoint, scope: key.scope });
  const stored = found.find(({ origin, scope }) => origin === key.origin && jsonEqual(scope, key.scope));
  const check = stored && (await mirror.checks(key.endpoint, access)).get(stored.id);
  if (!stored || !check) return;
  const [from, to] = [args[window.from], args[window.to]].map(calendarDate);
  const isBounded = from !== undefined && to !== undefined;
  const isCovered = isBounded && covers(await mirror.coveredRanges(stored, access), { from, to, isOpen: false });
  const oldest = commit.rows.at(endpoint.mirror?.order === 'oldest' ? 0 : -1)?.value;
  const { total_count: total } = objectIn(envelope.pagination);
  const beside = await storedBeside(mirror, endpoint, { stored, oldest: calendarDate(oldest?.date) });
  const isAboutAll = from === ALL_DATES.from && to === ALL_DATES.to && (args.offset ?? 0) === 0;
  const shown = isAboutAll ? wholeShown(endpoint, envelope, commit.rows) : undefined;
  const now = shown && { version: shown.version, state: await mirror.rowsState(stored.id) };
  const whole = now
    ? [...wholeDifferences(shown, { ...beside, newest: shown.newest }), ...versionDoubt(versionSays(check, now))]
    : [];
  const seen = doubtsOf(
    {
      first: calendarDate(envelope.earliest_available_date),
      previous: calendarDate(oldest?.previous_date),
      inWindow: typeof total === 'number' && oldest ? total : undefined,
      written: [],
    },
    {
      ...beside,
      ...(isCovered && { inWindow: await mirror.count(stored, { from, to }) }),
      changed: 0,
    },
  );
  const counted = counting([...seen, ...whole], [...check.ways, ...(check.doubt?.found ?? [])]);
  if (counted.length === 0) return;
  const all = [...(check.doubt?.found ?? []), ...counted];
  await mirror.noteCheck(stored.id, access, { ...check, doubt: { at, found: all } });
}

/** How many rows are stored, the first date, and the one before the oldest row of an answer. */
export async function storedBeside(
  reader: Pick<MirrorReader, 'count' | 'rows'>,
  { mirror }: Endpoint,
  { stored, oldest }: { readonly stored: StoredSeries; readonly oldest: string | undefined },
): Promise<Omit<StoredBeside, 'changed'>> {
  const rows = await reader.count(stored, {});
  const reverse = mirror?.order === 'oldest';
  const [first] = await reader.rows(stored, {}, { limit: 1, offset: 0, reverse: !reverse });
  const before =
    oldest === undefined
      ? []
      : await reader.rows(stored, { to: addDays(oldest, -1) }, { limit: 1, offset: 0, reverse });
  const [dateOfFirst, previous] = [first, before[0]].map((row) => row && String(row.key[0]));
  return { rows, first: dateOfFirst, previous };
}
