// Callers of a desk: each answer is compared with what the database itself holds, and each key with the keys of the day.
import { INDICATORS } from './hosts.mjs';
import { pause } from './programs.mjs';

const ROWS = 6;

/** A question, and the same one to the database. */
const QUESTIONS = [
  ...INDICATORS.map((indicator) => ({
    path: `/v1/announcements/USD/${indicator}?start_date=2023-01-01&limit=${ROWS}`,
    rows: `select date, val from v_announcements where currency = 'USD' and indicator = '${indicator}' order by date desc limit ${ROWS}`,
  })),
  {
    path: `/v1/forex/EUR/USD?limit=${ROWS}`,
    rows: `select date, val from v_fx where base = 'EUR' and quote = 'USD' order by date desc limit ${ROWS}`,
  },
];

export function startCallers({ database, entrances, random, counts, violation, key, epoch }) {
  let isOver = false;
  const waits = [];
  const below = (bound) => Math.floor(random() * bound);

  /** What the database holds, and the word of that; undefined while it answers nobody. */
  const stored = ({ rows }) =>
    database.sql(`select (select state from mirror) as state, (select json_agg(r) from (${rows}) r) as rows`).then(
      ([{ state, rows: found }]) => ({ state, rows: JSON.stringify(found), epoch: epoch() }),
      () => undefined,
    );

  async function ask(question, port) {
    const before = await stored(question);
    const begun = performance.now();
    const [used, good] = [key.now, key.since];
    let status;
    let text;
    try {
      const signal = AbortSignal.timeout(30_000);
      const answer = await fetch(`http://127.0.0.1:${port}${question.path}`, {
        headers: { 'X-API-Key': used },
        signal,
      });
      status = answer.status;
      text = await answer.text();
    } catch (error) {
      return counts.add(
        error.name === 'TimeoutError' ? 'questions without an answer in 30 s' : 'questions to a host that is down',
      );
    }
    if (status === 502 || status === 503 || status === 504) return counts.add('answers 502, 503 or 504');
    if (status === 401 && (key.now !== used || Date.now() - good < 3000))
      return counts.add('answers 401 around a new key');
    if (status !== 200) return violation(`${question.path} is answered ${status}: ${text.slice(0, 300)}`);
    waits.push(performance.now() - begun);
    const after = await stored(question);
    if (!before || !after || before.epoch !== after.epoch) return counts.add('answers during a failover or restore');
    const told = JSON.stringify(JSON.parse(text).data.map(({ date, val }) => ({ date, val })));
    if (told === before.rows || told === after.rows)
      return counts.add(
        before.state === after.state ? 'answers equal to the database' : 'answers equal to one of two states',
      );
    // Several commits in between: neither state has to be the one that answered.
    if (before.state !== after.state) return counts.add('answers between two states');
    violation(`${question.path} at ${port} tells ${told} where the database has ${after.rows}`);
  }

  async function keepAsking() {
    while (!isOver) {
      await ask(QUESTIONS[below(QUESTIONS.length)], entrances[below(entrances.length)]);
      await pause(30 + below(120));
    }
  }

  const loops = [keepAsking(), keepAsking(), keepAsking()];
  return {
    waits,
    async stop() {
      isOver = true;
      await Promise.all(loops);
    },
  };
}

/** A stream of a caller: when its key is gone, it ends. */
export async function followWith(key, port) {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/stream/events`, { headers: { 'X-API-Key': key } });
  const state = { isOpen: answer.ok };
  void (async () => {
    try {
      for await (const _ of answer.body);
    } catch {
      // Cut off.
    }
    state.isOpen = false;
  })();
  return state;
}
