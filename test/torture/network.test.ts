import { expect, it } from 'vitest';
import { MacroError } from '../../src/errors.ts';
import { createNodeFetch } from '../../src/platform/node-network.ts';
import { startLoopback } from '../support/loopback.ts';
import { SERVICE_URL } from '../support/service.ts';
import { LIES, LINE_FAULTS, type Spoiling } from './network-faults.ts';
import { IS_LONG, inRounds, LONGEST_MS, type Round } from './rounds.ts';
import { ENGINES, inPlace, refusedOrDone, type ServiceState, serviceDays, soundHash, syncAt, WORDS } from './world.ts';

/** With the feed by name: as a help to others it may fail, and they are asked instead. */
const SELECTED = `${IS_LONG ? WORDS : 'commodities gold, announcements usd inflation'}, announcements changes`;

const ALL = Object.entries({ ...LINE_FAULTS, ...LIES });

it.each(ENGINES.filter(({ isMissing }) => !isMissing))(
  'whatever befalls answers on the way to $name: right data or a stated incompleteness',
  { timeout: LONGEST_MS },
  async (engine) => {
    const { before } = await serviceDays();
    const line: Line = { service: before, strike: undefined, answers: 0 };
    const origin = await startLoopback((request, response) => void answer(line, request, response));
    const fetch = createNodeFetch();
    const overSocket: ServiceState = {
      now: before.now,
      fetch: (url, init) => fetch(url.replace(SERVICE_URL, origin), init),
    };
    const expected = await inPlace(engine, async (place) => {
      expect((await syncAt(place, overSocket, { words: SELECTED })).outcome).toBe('complete');
      return soundHash(place);
    });
    const answers = line.answers;
    const sample = engine.name === 'SQLite' ? ALL.length : 3;
    await inRounds(`network faults, ${engine.name}`, sample, (round) =>
      inPlace(engine, async (place) => {
        const [name, spoil] = ALL[round.number % ALL.length] ?? [];
        if (!name || !spoil) return;
        Object.assign(line, {
          answers: 0,
          strike: { spoil, round, first: round.below(answers), times: round.one([1, 1, 2, 99]) },
        });
        const end = await refusedOrDone(() => syncAt(place, overSocket, { words: SELECTED }));
        line.strike = undefined;
        const isComplete = !(end instanceof MacroError) && end.outcome === 'complete';
        const told = `${name}: ${end instanceof MacroError ? end.message : JSON.stringify(end.series.map((one) => [one.name, one.outcome]))}`;
        const found = await soundHash(place);
        if (isComplete) expect(found, told).toBe(expected);
        expect((await syncAt(place, overSocket, { words: SELECTED })).outcome, told).toBe('complete');
        expect(await soundHash(place), told).toBe(expected);
        round.count(isComplete ? 'right in spite of it' : 'told to be incomplete');
      }),
    );
  },
);

interface Line {
  readonly service: ServiceState;
  strike: Strike | undefined;
  answers: number;
}

interface Strike {
  readonly spoil: (spoiling: Spoiling) => void | Promise<void>;
  readonly round: Round;
  /** The first answer that it befalls, and how many. */
  readonly first: number;
  readonly times: number;
}

async function answer(line: Line, request: Spoiling['request'], response: Spoiling['response']): Promise<void> {
  const { service, strike } = line;
  const number = line.answers;
  line.answers += 1;
  const sent = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const ask = (target: string) => service.fetch(`${SERVICE_URL}${target}`, { headers: sent });
  const good = await ask(request.url ?? '/');
  const { 'content-length': _, ...headers } = Object.fromEntries(good.headers);
  const body = Buffer.from(await good.arrayBuffer());
  if (!strike || number < strike.first || number >= strike.first + strike.times)
    return void response.writeHead(good.status, headers).end(body);
  const other = async (target: string) => Buffer.from(await (await ask(target)).arrayBuffer());
  await strike.spoil({ request, response, status: good.status, headers, body, other, round: strike.round });
}
