import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { parseObject } from '../../contract/json/json.ts';
import { readParams } from '../../contract/params/read-params.ts';
import announcements from '../../endpoints/announcements/series.ts';
import { INTERFACE } from '../../endpoints/index.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import { GENERATED_ACCESS } from '../../mirror/rules/coverage.ts';
import { eventPage } from '../../mirror/rules/event-page.ts';
import { createBoundedServer } from '../../platform/bounded-server.ts';
import { listenError } from '../../platform/listening.ts';
import { nodePlatform } from '../../platform/node.ts';
import type { Clock, Platform } from '../../platform/platform.ts';
import { makeUpRelease } from '../../sandbox/announced/events.ts';
import { SANDBOX_ORIGIN } from '../../sandbox/rows.ts';
import { digestKey, isWellFormedKey, type KeyEntry, PLANS } from '../../serve/access/keys.ts';
import { withAddresses } from '../../serve/addresses.ts';
import { createServer } from '../../serve/create.ts';
import { readFaultList } from '../../serve/faults/fault.ts';
import { createFaults, type FaultEngine } from '../../serve/faults/fault-engine.ts';
import { BOUNDS } from '../../serve/options.ts';
import { keyFiles, openSigning } from '../../serve/signing-key.ts';
import { createColumns } from '../../source/columns.ts';
import { LABELS } from '../../source/labels.ts';
import { createMirrorSource } from '../../source/mirror.ts';
import { DELIVERY_POLICY } from '../../webhooks/send/deliver.ts';
import { createSender, retryingOutbox, type Sender } from '../../webhooks/send/sender.ts';
import { createSubscriptions, type Subscriptions } from '../../webhooks/send/subscriptions.ts';
import { openSigningSecrets } from '../../webhooks/signing-secrets.ts';
import type { MacroServer, MacroServerOptions, ReleaseToMakeUp, SeenRequest } from '../api/server.ts';
import { classed, UsageError, withClass } from '../errors.ts';
import { readGivenList, readGivenMoment, readGivenNumber, readGivenWord, refuseUnknownOptions } from '../given.ts';
import { type DataSet, defaultClock, notOwn, openDataSet } from './data-set.ts';

/** The requests that a server took. */
interface RequestList {
  note(request: IncomingMessage, response: ServerResponse, now: number): void;
  all(): readonly SeenRequest[];
  /** Ends the answers that are under way. */
  cut(): void;
}

const HOST = '127.0.0.1';

/** A server that takes connections. It outlives what answers, so that its address stays over a reset. */
interface LocalServer {
  readonly url: string;
  /** Accepts no more requests, and cuts the open ones. */
  close(): Promise<void>;
}

interface RoundOptions {
  readonly platform: Platform;
  readonly options: MacroServerOptions;
  readonly url: string;
  /** Milliseconds. */
  readonly startsAt: number;
  readonly now: () => number;
}

/** The state between two resets: data, budgets, streams and webhooks, all of them new. */
interface Round {
  readonly handle: RequestListener;
  readonly data: DataSet;
  readonly faults: FaultEngine;
  close(): Promise<void>;
}

interface TestWebhooksOptions {
  readonly platform: Platform;
  readonly mirror: Mirror;
  /** Where signing secrets are stored. */
  readonly folder: string;
  readonly faults: FaultEngine;
}

interface TestWebhooks {
  readonly subscriptions: Subscriptions;
  readonly sender: Sender;
}

/**
 * Listens and answers from one round of data and answers, which a reset replaces.
 * @throws MacroError of kind `usage`.
 */
export function startMacroServer(options: MacroServerOptions = {}): Promise<MacroServer> {
  return classed(async () => {
    refuseUnknownOptions(options, ['data', 'clock', 'keys', 'port', 'quotas', 'faults', 'seed', 'strict']);
    if (options.seed !== undefined) readGivenNumber(options.seed, 'seed');
    const { port = 0 } = options;
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new UsageError(`'${port}' is no port.`, { hint: 'Ports are 0 (any free one) to 65535.' });
    const platform = nodePlatform();
    const startsAt =
      options.clock === undefined ? defaultClock(options.data, platform) : readGivenMoment(options.clock, 'clock');
    const state = { now: startsAt, requests: createRequestList() };
    let round: Round | undefined;
    const handler: RequestListener = (request, response) => {
      state.requests.note(request, response, state.now);
      if (round) round.handle(request, response);
      else response.writeHead(503).end();
    };
    const listening = await listenLocally(handler, platform.clock, port);
    const open = () => openRound({ platform, options, url: listening.url, startsAt, now: () => state.now });
    const opened = await open().catch(async (error: unknown) => {
      await listening.close();
      throw error;
    });
    round = opened;
    let current = opened;
    let isClosed = false;
    const queue = createQueue();
    const inTurn = <T>(work: () => Promise<T>) =>
      queue(() => {
        if (isClosed) throw new UsageError('The server is closed.', { hint: 'Create another one.' });
        return work();
      });

    const moveTo = (read: () => number) =>
      inTurn(async () => {
        const moment = read();
        if (moment < state.now) throw backwards();
        state.now = moment;
        await current.data.upTo(moment);
      });
    return {
      url: listening.url,
      clock: {
        now: () => new Date(state.now),
        set: (moment) => moveTo(() => readGivenMoment(moment, 'clock.set')),
        advance: (ms) => moveTo(() => state.now + readGivenNumber(ms, 'clock.advance')),
      },
      release: (event) => inTurn(() => release(current.data, event, state.now)),
      faults: (rules) => {
        try {
          current.faults.replace(readFaultList(rules));
        } catch (error) {
          throw withClass(error);
        }
      },
      requests: () => state.requests.all(),
      reset: () =>
        inTurn(async () => {
          round = undefined;
          state.requests.cut();
          await current.close();
          Object.assign(state, { now: startsAt, requests: createRequestList() });
          current = await open();
          round = current;
        }),
      close,
      [Symbol.asyncDispose]: close,
    };

    async function close(): Promise<void> {
      await queue(async () => {
        if (isClosed) return;
        isClosed = true;
        round = undefined;
        state.requests.cut();
        await listening.close();
        await current.close();
      });
    }
  });
}

/** Runs tasks one after the other: two that move the data at once would leave it between two moments. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(() => classed(work));
    last = done.catch(() => undefined);
    return done;
  };
}

function backwards(): UsageError {
  return new UsageError('The clock of a server goes forward only: its data cannot be forgotten one by one.', {
    hint: 'Call reset() to go back to the start, or create a server with an earlier clock.',
  });
}

async function release({ mirror, isOwn }: DataSet, event: ReleaseToMakeUp, now: number) {
  if (!isOwn) throw notOwn('releases');
  refuseUnknownOptions(event, ['currency', 'indicator', 'val']);
  if (event.val !== undefined) readGivenNumber(event.val, 'val');
  const path = { currency: event.currency, indicator: event.indicator };
  const { args } = readParams(announcements, { path, query: {} }, { mode: 'strict', now });
  const series = { currency: String(args.currency), indicator: String(args.indicator) };
  const { event: row, revision } = await makeUpRelease(mirror, { ...series, val: event.val }, Math.floor(now / 1000));
  const commit = { origin: SANDBOX_ORIGIN, nature: 'synthetic', access: GENERATED_ACCESS, via: 'local' } as const;
  if (revision) await mirror.commitPage(revision);
  await mirror.commitPage(eventPage({ ...commit, rows: [row], at: now }));
  return parseObject(row.text);
}

function createRequestList(): RequestList {
  const seen: { readonly request: IncomingMessage; readonly response: ServerResponse; readonly at: number }[] = [];
  const isUnderWay = (response: ServerResponse) => !response.writableFinished && !response.destroyed;
  return {
    note: (request, response, at) => void seen.push({ request, response, at }),
    all: () =>
      seen.map(({ request: { method = '', url = '', headers }, response, at }) => ({
        ...{ method, url, headers, at: new Date(at) },
        status: response.headersSent ? response.statusCode : undefined,
      })),
    cut() {
      for (const { response } of seen) if (isUnderWay(response)) response.destroy();
    },
  };
}

/** Listens on this machine alone; port 0, or none, is any free one. */
function listenLocally(handler: RequestListener, clock: Clock, port: number): Promise<LocalServer> {
  const server = createBoundedServer(handler, { bounds: BOUNDS, clock });
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, port, HOST)));
    server.listen(port, HOST, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : port;
      resolve({ url: `http://${HOST}:${bound}`, close });
    });
  });

  function close(): Promise<void> {
    return new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
}

async function openRound({ platform, options, url, startsAt, now }: RoundOptions): Promise<Round> {
  const folder = platform.files.makeTemporaryFolder('macro-server-');
  try {
    const data = await openDataSet({ platform, data: options.data, now: startsAt, folder });
    const { mirror, isOwn } = data;
    const labels = await withAddresses({ ...LABELS, publicBaseUrl: url }, mirror);
    const signing = openSigning(keyFiles({ platform, folder: join(folder, 'keys') }), platform.random);
    const faults = createFaults({
      ...{ rules: readFaultList(options.faults ?? []), seed: options.seed, clock: platform.clock },
      // Nobody but the owner of real data can have it spoiled.
      allowsHeader: isOwn || options.faults !== undefined,
    });
    const webhooks = isOwn ? openTestWebhooks({ platform, mirror, folder, faults }) : undefined;
    const keys = options.keys && readGivenList(options.keys, 'keys').map(entryOf);
    const app = await createServer({
      source: createMirrorSource({ mirror, labels, signing, columns: createColumns() }),
      ...{ mirror, endpoints: INTERFACE, platform, faults },
      subscriptions: webhooks?.subscriptions,
      options: {
        ...{
          labels,
          now,
          boundTo: '127.0.0.1',
          quotas: options.quotas === true,
          strict: options.strict === true,
        },
        ...(keys && { keys: () => keys }),
      },
    });
    webhooks?.sender.start();
    return {
      ...{ data, faults, handle: app.handle },
      async close() {
        await Promise.all([app.close(), webhooks?.sender.close()]);
        mirror.close();
        platform.files.remove(folder);
      },
    };
  } catch (error) {
    platform.files.remove(folder);
    throw error;
  }
}

function entryOf(given: NonNullable<MacroServerOptions['keys']>[number]): KeyEntry {
  const entry = typeof given === 'string' ? { key: given } : given;
  refuseUnknownOptions(entry, ['key', 'plan', 'label']);
  const { key, plan = 'individual', label = '' } = entry;
  if (typeof key !== 'string' || !isWellFormedKey(key))
    throw new UsageError('A key is no printable ASCII of at most 256 characters.', { hint: "Give keys: ['a-key']." });
  return { digest: digestKey(key), plan: readGivenWord(plan, 'plan', PLANS), label };
}

/** Webhooks of a server for tests: they may go to this machine, which is where a test receives them. */
function openTestWebhooks({ platform, mirror, folder, faults }: TestWebhooksOptions): TestWebhooks {
  const { clock, post, random } = platform;
  const outbox = retryingOutbox(mirror.outbox, clock);
  const secrets = openSigningSecrets({ platform, folder: join(folder, 'webhooks') });
  const guard = { resolve: platform.resolve, allowLocal: true };
  const sender = createSender({
    ...{ outbox, secrets, guard, clock, post: faults.post(post), random },
    journal: mirror.journal,
    look: () => mirror.look(),
    policy: DELIVERY_POLICY,
    headerPrefix: 'X-SVC',
    synthetic: true,
    // Who subscribed sees it in the list of deliveries.
    failed: () => undefined,
  });
  return { sender, subscriptions: createSubscriptions({ outbox, secrets, guard, random, flush: mirror.flush }) };
}
