import type { ServiceLabels } from '../contract/hooks.ts';
import type { MirrorState } from '../mirror/api/mirror.ts';
import type { Platform } from '../platform/platform.ts';
import type { Subscriptions } from '../webhooks/send/subscriptions.ts';
import { createCallers, type Identify, revocationsOf } from './access/callers.ts';
import { createLimits, type RequestLimits } from './access/limits.ts';
import { createArgumentReader, type ReadArguments } from './arguments.ts';
import type { Now, ServerParts } from './options.ts';
import { createEdgeCache, type EdgeCache } from './reply/edge-cache.ts';
import { type CachedAnswer, createResponseCache, type ResponseCache } from './reply/response-cache.ts';
import type { StreamParts } from './stream/events.ts';
import { createFeed, type EventFeed } from './stream/feed.ts';

/** The shared state of all requests of a server. */
export interface ServeState {
  readonly labels: ServiceLabels;
  readonly now: Now;
  readonly identify: Identify;
  /** Names the next request. */
  readonly nameRequest: () => string;
  /** Undefined when there are no budgets. */
  readonly limits: RequestLimits | undefined;
  readonly cache: ResponseCache;
  readonly edge: EdgeCache;
  /** Answers that are being made, by question and moment. */
  readonly asking: Map<string, Promise<CachedAnswer>>;
  readonly readArguments: ReadArguments;
  /** The state of the mirror as of this turn; absent where only asking the mirror tells. */
  readonly mirrorState: (() => MirrorState) | undefined;
  readonly lookAtMirror: () => Promise<MirrorState>;
  /** Pushes events to open streams. */
  readonly feed: EventFeed;
  /** Milliseconds after which readers of streams are asked to reconnect; undefined for the default. */
  readonly streamRetry: number | undefined;
  /** Events in the order in which they came. */
  readonly journal: StreamParts['journal'];
  readonly subscriptions: Subscriptions | undefined;
  /** Names of the service's own headers. */
  readonly names: {
    readonly edgeCache: string;
    readonly synthetic: string;
    readonly mirror: string;
    readonly mirrorChecked: string;
  };
  /** Questions that the mirror can answer in part only are refused. */
  readonly strict: boolean;
  /** The cause of an unexpected error. */
  readonly explain: NonNullable<ServerParts['explain']>;
  /** Tells whoever runs the server. */
  readonly log: NonNullable<ServerParts['log']>;
}

/** Default bytes of cached answers. */
const DEFAULT_BODY_BYTES = 24 * 1024 * 1024;

export function createState({
  mirror,
  source,
  mirrorSource = source,
  subscriptions,
  platform,
  faults,
  options,
  explain = async (error) => error,
  log = () => undefined,
}: ServerParts): ServeState {
  const prefix = options.headerPrefix ?? 'X-SVC';
  const now = options.now ?? (() => platform.clock.now());
  const look = mirror ? together(() => mirror.look()) : async () => 0;
  const state = mirror ? mirror.state : () => 0;
  const counts = options.quotas !== false && !options.open;
  return {
    labels: options.labels,
    now,
    identify: createCallers(options),
    nameRequest: requestNamer(faults?.requestNames ?? platform.random.bytes(6)),
    limits: counts ? createLimits() : undefined,
    streamRetry: options.streamRetry,
    journal: mirror?.journal,
    subscriptions,
    cache: createResponseCache(options.bodyBytes ?? DEFAULT_BODY_BYTES),
    edge: createEdgeCache(),
    asking: new Map(),
    readArguments: createArgumentReader(mirror, source !== mirrorSource),
    mirrorState: state && oncePerTurn(platform.clock, state),
    lookAtMirror: look,
    names: {
      edgeCache: `${prefix}-Edge-Cache`,
      synthetic: `${prefix}-Synthetic`,
      mirror: `${prefix}-Mirror`,
      mirrorChecked: `${prefix}-Mirror-Checked`,
    },
    strict: options.strict === true,
    feed: createFeed({
      revocations: revocationsOf(options.open ? undefined : options.keys),
      ask: (question, context) => mirrorSource.ask(question, context),
      journal: mirror?.journal,
      clock: platform.clock,
      now,
      look,
      failed: (error) =>
        log(`the stream failed: ${error instanceof Error ? error.message : String(error)}`, 'stream_failed'),
    }),
    explain: oncePerState(explain, look),
    log,
  };
}

/** An explanation reads the whole mirror: there is one for each state of it, however many requests stumble. */
function oncePerState(explain: ServeState['explain'], look: () => Promise<MirrorState>): ServeState['explain'] {
  let last: { readonly state: MirrorState; readonly found: Promise<unknown> } | undefined;
  return async (error) => {
    // A mirror that tells nothing is explained all the same.
    const state = await look().catch(() => '');
    if (last?.state !== state)
      last = { state, found: explain(error).then((known) => (known === error ? undefined : known)) };
    return (await last.found) ?? error;
  };
}

/** Checks requested during a running check share the next one, which begins after it. */
function together<T>(look: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    next ??= last.then(() => {
      next = undefined;
      const looked = look();
      last = looked.catch(() => undefined);
      return looked;
    });
    return next;
  };
}

/**
 * The mirror's state, read once per turn of the event loop. Reading it locks the file, which costs more than the rest
 * of an answer from memory, and one turn brings the requests of many sockets.
 */
function oncePerTurn(clock: Pick<Platform['clock'], 'turn'>, read: () => MirrorState): () => MirrorState {
  let last: { readonly turn: number; readonly state: MirrorState } | undefined;
  return () => {
    const turn = clock.turn();
    if (last?.turn !== turn) last = { turn, state: read() };
    return last.state;
  };
}

/** Request names: a random stem for this run and a counter. */
function requestNamer(stem: Uint8Array): () => string {
  const head = `req_${Buffer.from(stem).toString('hex')}`;
  let count = 0;
  return () => {
    count += 1;
    return `${head}${count.toString(16)}`;
  };
}
