import { spliceBody } from '../contract/body.ts';
import { etagMatches } from '../contract/etag.ts';
import type { Compose, Envelope, LoadedSeries } from '../contract/hooks.ts';
import type { JsonObject } from '../contract/json.ts';
import type { Args } from '../contract/params.ts';
import type { HeldSeries } from '../mirror/mirror.ts';
import {
  generationsOf,
  identityOf,
  type MirrorAnswer,
  type MirrorQuestion,
  notMirrored,
  pinnedVersion,
} from './answer.ts';
import { paginationOf, without } from './envelope.ts';
import { etagOf } from './inputs.ts';
import { KEYLESS_MEMBERS, keylessMembers } from './keyless.ts';
import { provenFor } from './notes.ts';
import { ROUTES } from './routes.ts';

/**
 * Answers from several series through the endpoint's `compose` hook. Walk: find the series it could read, let it pick,
 * make the validator from the generations of all of them, load exactly those, build.
 */
export async function answerComposed(ask: MirrorQuestion, compose: Compose<Args>): Promise<MirrorAnswer> {
  const { question, visible, labels, caller } = ask;
  const { endpoint } = question;
  const picked = await pickSeries(ask, compose);
  if (picked.length === 0) throw notMirrored(question);
  const identity = identityOf(ask, [compose.version, ...generationsOf(picked)]);
  const etag = etagOf(identity);
  const version = pinnedVersion(ask, identity);
  const asOf = Math.min(...picked.map((series) => series.checkedAt));
  if (etagMatches(ask.ifNoneMatch, etag)) return { etag, asOf, notes: [], body: undefined };
  const loaded = await Promise.all(picked.map((series) => load(ask, series)));
  const built = compose.build(loaded, {
    args: visible.args,
    now: Math.floor(ask.now / 1000),
    caller,
    labels,
    routes: ROUTES,
  });
  if (!built) throw notMirrored(question);
  const place = {
    returned: built.rows.length,
    total: built.total,
    includesLatest: built.includesLatest ?? false,
  };
  const envelope: Envelope = {
    ...without(built.envelope as JsonObject, KEYLESS_MEMBERS), // an envelope is JSON with undefined members
    ...version,
    ...paginationOf(endpoint, visible.args, place),
    ...(caller.kind === 'keyless' && keylessMembers(visible, built.withheld ?? [], { labels, stored: {} })),
  };
  const notes = caller.kind === 'owner' ? (built.notes ?? []) : [];
  return { etag, asOf, notes, body: spliceBody(endpoint.body, envelope, built.rows) };
}

/** Held series that the answer may use, each once, in a fixed order. */
async function pickSeries(ask: MirrorQuestion, compose: Compose<Args>): Promise<readonly HeldSeries[]> {
  const byId = new Map<number, HeldSeries>();
  for (const ref of compose.reads(ask.visible.args))
    for (const series of await ask.reader.find(ref)) byId.set(series.id, series);
  const held = [...byId.values()].sort((a, b) => a.id - b.id);
  if (!compose.pick || held.length === 0) return held;
  const wanted = new Set(compose.pick(ask.visible.args, held));
  return held.filter((series) => wanted.has(series));
}

async function load(ask: MirrorQuestion, series: HeldSeries): Promise<LoadedSeries> {
  const rows = await ask.reader.rows(series, {});
  return {
    ref: series,
    envelope: series.envelope ? JSON.parse(series.envelope.text) : {},
    rows,
    proven: await provenFor(ask, series),
  };
}
