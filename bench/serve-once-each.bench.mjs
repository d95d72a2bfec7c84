import { timeOf } from './serve-once.mjs';
import { startMacro, stop, withSandbox } from './serve-programs.mjs';
import { withRates } from './start-support.mjs';
import { inTurn } from './support.mjs';

const COUNT = 100;
/**
 * Questions of a kind before those that count: the first ones read what is stored, and for some hundred more the engine
 * compiles what it runs. What the first hundred take is told beside.
 */
const WARM = 2_000;
/** Microseconds that a question may take. */
const MOST = 500;

const RATES = {
  'indicators=all': (i) => `/v1/forex/EUR/USD?indicators=all&start_date=1999-01-01&limit=100&offset=${i}`,
};
const CURRENCIES = ['USD', 'EUR', 'GBP', 'JPY'];
const SANDBOX = {
  latest: (i) => `/v1/announcements/${CURRENCIES[i % 4]}/latest?n=${i}`,
  recent: (i) => `/v1/recent/announcements/${CURRENCIES[i % 4]}?limit=20&offset=${i}`,
  'announcements as of': (i) => `/v1/announcements/USD/inflation?start_date=2010-01-01&as_of=${hoursBack(i)}`,
  'curve as of': (i) => `/v1/curves/USD?view=nodes&as_of=${hoursBack(i)}`,
};

// Goal: each question, which nobody asked before, at most 0.5 ms of the processor's time of a server that was asked others of
// its kind. Counted is all that the server does from the bytes of the question to those of its answer, over connections
// that are open.
export default {
  name: 'serve: the slowest of questions that are asked once, in units of 0.5 ms',
  goal: 1,
  async run() {
    const told = [
      ...(await withRates(async (home) => {
        const ours = await startMacro(home, ['--no-quota']);
        try {
          return await timesOf(ours, RATES);
        } finally {
          await stop(ours);
        }
      })),
      ...(await withSandbox((ours) => timesOf(ours, SANDBOX), ['--no-quota'])),
    ];
    told.sort((a, b) => b.time - a.time);
    const detail = told.map(({ name, first, time }) => `${name} ${inMs(time)} (of the first hundred ${inMs(first)})`);
    return { ratio: told[0].time / MOST, detail: detail.join(', ') };
  },
};

async function timesOf(server, questions) {
  const times = [];
  for (const [name, question] of Object.entries(questions)) {
    let asked = 0;
    const next = (count) => {
      const from = asked;
      asked += count;
      return timeOf(
        server,
        Array.from({ length: count }, (_, i) => question(from + i)),
      );
    };
    const first = await next(COUNT);
    await next(WARM);
    const { ours: time } = await inTurn({ ours: () => next(COUNT), theirs: () => 0, rounds: 5, warmUps: 0 });
    times.push({ name, first, time });
  }
  return times;
}

const inMs = (microseconds) => `${(microseconds / 1_000).toFixed(2)} ms`;

/** The moment that lies so many hours before the hour that began last. */
function hoursBack(hours) {
  const now = Math.floor(Date.now() / 3_600_000);
  return new Date((now - hours) * 3_600_000).toISOString().replace('.000', '');
}
