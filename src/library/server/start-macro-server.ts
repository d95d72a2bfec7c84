import type { RequestListener } from 'node:http';
import { parseObject } from '../../contract/json/json.ts';
import { readParams } from '../../contract/params/read-params.ts';
import { endpointById } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import { eventPage } from '../../mirror/core/event-page.ts';
import { GENERATED_ACCESS } from '../../mirror/ledger/certain.ts';
import { nodePlatform } from '../../platform/node.ts';
import { makeUpRelease } from '../../sandbox/announced/made-up-release.ts';
import { SANDBOX_ORIGIN } from '../../sandbox/rows.ts';
import { readFaultList } from '../../serve/faults/read-faults.ts';
import type { MacroServer, MacroServerOptions, ReleaseToMakeUp } from '../api/server.ts';
import { classed, withClass } from '../errors.ts';
import { readGivenMoment } from '../read-given-moment.ts';
import { requireNode } from '../require-node.ts';
import { type DataSet, defaultClock, notOwn } from './data-set.ts';
import { listenLocally } from './listen-locally.ts';
import { createRequestList } from './request-list.ts';
import { openRound, type Round } from './round.ts';

/**
 * Walk: listen; open the first round of data and answers; then hand every request to the round of the moment. A reset puts a
 * new round in place of the old one, and the address stays.
 * @throws MacroError of kind `usage`.
 */
export function startMacroServer(options: MacroServerOptions = {}): Promise<MacroServer> {
  return classed(async () => {
    const platform = nodePlatform();
    requireNode(platform);
    const startsAt =
      options.clock === undefined ? defaultClock(options.data, platform) : readGivenMoment(options.clock, 'clock');
    const state = { now: startsAt, requests: createRequestList() };
    let round: Round | undefined;
    const handler: RequestListener = (request, response) => {
      state.requests.note(request, response, state.now);
      if (round) round.handle(request, response);
      else response.writeHead(503).end();
    };
    const listening = await listenLocally(handler, platform.clock, options.port);
    const open = () => openRound({ platform, options, url: listening.url, startsAt, now: () => state.now });
    const opened = await open().catch(async (error: unknown) => {
      await listening.close();
      throw error;
    });
    round = opened;
    let current = opened;
    const inTurn = createQueue();

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
        advance: (ms) => moveTo(() => state.now + ms),
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
      await inTurn(async () => {
        round = undefined;
        state.requests.cut();
        await listening.close();
        await current.close();
      });
    }
  });
}

/** Runs one piece of work after the other: two that move the data at once would leave it between two moments. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(() => classed(work));
    last = done.catch(() => undefined);
    return done;
  };
}

function backwards(): MacroError {
  return new MacroError('usage', 'The clock of a server goes forward only: its data cannot be forgotten one by one.', {
    hint: 'Call reset() to go back to the start, or create a server with an earlier clock.',
  });
}

async function release({ mirror, isOwn }: DataSet, event: ReleaseToMakeUp, now: number) {
  if (!isOwn) throw notOwn('releases');
  const endpoint = endpointById('announcements');
  if (!endpoint) throw new Error('There is no endpoint of announcements');
  const path = { currency: event.currency, indicator: event.indicator };
  const { args } = readParams(endpoint, { path, query: {} }, { mode: 'strict', now });
  const series = { currency: String(args.currency), indicator: String(args.indicator) };
  const row = await makeUpRelease(mirror, { ...series, val: event.val }, Math.floor(now / 1000));
  const commit = { origin: SANDBOX_ORIGIN, nature: 'synthetic', access: GENERATED_ACCESS, via: 'local' } as const;
  await mirror.commitPage(eventPage({ ...commit, rows: [row], at: now }));
  return parseObject(row.text);
}
