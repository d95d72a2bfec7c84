import { DELAY_STEP_SECONDS } from '../contract/access.ts';
import { isAnsweredByClock, isOffline } from '../contract/capabilities.ts';
import { type Endpoint, freshFor } from '../contract/endpoint.ts';
import { toJsonText } from '../contract/json/json.ts';
import type { AsOf } from '../contract/time/moments.ts';
import { MacroError } from '../errors.ts';
import type { Mirror } from '../mirror/api/mirror.ts';
import type { AccessTag } from '../mirror/api/series.ts';
import { type Freshness, freshnessOf } from './coverage/freshness.ts';
import { noMirrorYet } from './coverage/not-mirrored.ts';
import { LABELS } from './labels.ts';
import { type AskContext, type Question, resolveAlias, type Source } from './source.ts';

/** Where an answer may come from: `auto` takes the mirror when it is provably complete and fresh, else the service. */
export type SourceMode = 'auto' | 'live' | 'offline';

export interface Choice {
  readonly mode: SourceMode;
  /** Seconds that a mirrored answer may be old; the endpoint's own freshness when left out. */
  readonly maxAge?: number;
  /** The service; undefined when none is configured. */
  readonly live?: Source;
  /** The access under which the service would be asked; without a service, anybody's proof will do. */
  readonly access?: AccessTag;
  /** The mirror; undefined when there is no file yet. */
  readonly mirror?: { readonly mirror: Mirror; readonly source: Source };
}

/** Picks the source of one question, before anything is spent. */
export async function chooseSource(choice: Choice, question: Question, context: AskContext): Promise<Source> {
  const { mode, live, mirror } = choice;
  const { endpoint } = question;
  const { asOf } = context;
  if (asOf && !isServed(question, asOf))
    return mode === 'live' ? refuse(unserved(question, asOf)) : offline(choice, question);
  if (mode === 'offline') return offline(choice, question);
  if (mode === 'live') return live ?? refuse(unconfigured());
  if (isAnsweredByClock(endpoint) && mirror) return mirror.source;
  const access = choice.access ?? 'keyless';
  const freshness = mirror && (await freshnessOf(mirror.mirror, question, { ...context, access }));
  const provenAt = freshness?.provenAt;
  // Of the past the mirror knows what there was when it was proven after that moment, however long ago that is now.
  const oldest = asOf?.at ?? oldestFresh(choice, freshness, { endpoint, now: context.now });
  const newest = context.now + CLOCKS_APART;
  if (mirror && provenAt !== undefined && provenAt >= oldest && provenAt <= newest) return mirror.source;
  if (live) return live;
  if (mirror && freshness) return mirror.source;
  return refuse(unconfigured());
}

/** True when the interface itself can be asked about a moment. */
function isServed(question: Question, { by }: AsOf): boolean {
  const { query } = resolveAlias(question).endpoint;
  return by !== 'mirrored' && query.as_of !== undefined && query.availability !== undefined;
}

function unserved({ endpoint }: Question, { by }: AsOf): MacroError {
  const what =
    by === 'mirrored' ? 'What this mirror held only it can tell.' : `The service knows no as_of for ${endpoint.id}.`;
  return new MacroError('usage', what, { code: 'as_of_not_served', hint: 'Leave out --live: the mirror answers.' });
}

/**
 * Milliseconds by which the clocks of machines that share a mirror may differ. A proof of a later moment was made while a
 * clock was wrong: nobody knows how old it is.
 */
const CLOCKS_APART = 300_000;

/** Seconds between two looks for a release that is due. See docs/interface.md#changes. */
const LOOK_INTERVAL_SECONDS = 60;

/** How long ago a proof may be, as a moment in milliseconds: not before a release, unless the person said how old is fine. */
function oldestFresh(
  choice: Choice,
  freshness: Freshness | undefined,
  context: { endpoint: Endpoint; now: number },
): number {
  const { endpoint, now } = context;
  const oldest = now - maxAgeOf(choice, endpoint, now);
  const releasedAt = choice.maxAge === undefined ? freshness?.releasedAt : undefined;
  if (releasedAt === undefined) return oldest;
  const look = choice.access === 'keyless' ? DELAY_STEP_SECONDS : LOOK_INTERVAL_SECONDS;
  return Math.max(oldest, releasedAt, now - look * 1000);
}

/** Milliseconds. Without a key, answers about releases move in steps of five minutes. */
function maxAgeOf({ maxAge, access }: Choice, endpoint: Endpoint, now: number): number {
  if (maxAge !== undefined) return maxAge * 1000;
  const fresh = freshFor(endpoint, now);
  return (access === 'keyless' && endpoint.access.delayed ? Math.min(fresh, DELAY_STEP_SECONDS) : fresh) * 1000;
}

function offline({ mirror }: Choice, question: Question): Source {
  const { endpoint } = question;
  if (!isOffline(endpoint))
    throw new MacroError('notFound', `Only a running service can answer ${endpoint.id}.`, {
      hint: 'Leave out --offline.',
    });
  if (mirror) return mirror.source;
  throw noMirrorYet(question);
}

function unconfigured(): MacroError {
  return new MacroError('auth', 'No service is chosen and the mirror holds no answer.', {
    code: 'not_configured',
    hint: 'macro init chooses a service; macro demo shows the tool without one.',
  });
}

function refuse(error: MacroError): never {
  throw error;
}

/** Answers what the clock alone decides, where there is no mirror to ask. */
export const localSource: Source = {
  async ask({ endpoint, args }, { now, caller }) {
    const body = endpoint.local?.({ args, now: Math.floor(now / 1000), caller, labels: LABELS });
    return { status: 200, body: toJsonText(body), from: 'mirror', asOf: now, synthetic: false, notes: [] };
  },
};
