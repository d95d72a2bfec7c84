import { timeOf } from './serve-once.mjs';
import { startMacro, stop, withSandbox } from './serve-programs.mjs';
import { daysBack } from './serve-slowest.mjs';
import { withRates } from './start-support.mjs';
import { inTurn } from './support.mjs';

const COUNT = 100;
/** Microseconds that a question may take. */
const MOST = 500;

const RATES = {
  'indicators=all': (i) => `/v1/forex/EUR/USD?indicators=all&start_date=1999-01-01&limit=100&offset=${i * 5}`,
};
const CURRENCIES = ['USD', 'EUR', 'GBP', 'JPY'];
const SANDBOX = {
  latest: (i) => `/v1/announcements/${CURRENCIES[i % 4]}/latest?n=${i}`,
  recent: (i) => `/v1/recent/announcements/${CURRENCIES[i % 4]}?limit=20&offset=${i}`,
  'announcements as of': (i) => `/v1/announcements/USD/inflation?start_date=2010-01-01&as_of=${daysBack(i)}`,
  'curve as of': (i) => `/v1/curves/USD?view=nodes&as_of=${daysBack(i)}`,
};

// Goal: each question, which nobody asked before, at most 0.5 ms of the processor's time. Counted is all that the server does
// from the bytes of the question to those of its answer, over connections that are open.
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
    const detail = told.map(({ name, time }) => `${name} ${(time / 1_000).toFixed(2)} ms`).join(', ');
    return { ratio: told[0].time / MOST, detail };
  },
};

async function timesOf(server, questions) {
  const times = [];
  for (const [name, question] of Object.entries(questions)) {
    let asked = 0;
    const some = () => {
      const first = asked;
      asked += COUNT;
      return timeOf(
        server,
        Array.from({ length: COUNT }, (_, i) => question(first + i)),
      );
    };
    const { ours: time } = await inTurn({ ours: some, theirs: () => 0, rounds: 5, warmUps: 1 });
    times.push({ name, time });
  }
  return times;
}
