import { loadOnce } from './serve-load.mjs';
import { withSandbox } from './serve-programs.mjs';
import { HISTORY_PAGES } from './serve-support.mjs';

const MOST = 300;
const ROUNDS = 6;
const A_ROUND = 5_000;

/** Pages of all histories in all lengths, none of them twice. */
function questions(round) {
  return Array.from({ length: A_ROUND }, (_, i) => {
    const page = HISTORY_PAGES[i % HISTORY_PAGES.length];
    // Some routes give few rows at most.
    const path = page.replace(/limit=(\d+)/, (_, most) => `limit=${1 + (i % Math.min(17, Number(most)))}`);
    return `${path}&offset=${Math.floor(i / HISTORY_PAGES.length) % 90}&n=${round * A_ROUND + i}`;
  });
}

// Goal: at most 300 MB after 30,000 different questions, and no more than after the first third of them.
export default {
  name: `serve: resident memory after ${ROUNDS * A_ROUND} different questions, in units of ${MOST} MB`,
  goal: 1,
  run: () =>
    withSandbox(
      async ({ port, takes }) => {
        const after = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          await loadOnce({ port, paths: questions(round) });
          after.push((await takes()).megabytes);
        }
        return { ratio: Math.max(...after) / MOST, detail: `${after.join(', ')} MB after each ${A_ROUND}` };
      },
      ['--no-quota'],
    ),
};
