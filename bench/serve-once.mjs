// Pages that nobody asked for before: ours against objects in memory, in turn, by the processor's time of each server.
import { loadOnce } from './serve-load.mjs';
import { startBeside, stop } from './serve-programs.mjs';
import { answerOf } from './serve-support.mjs';
import { inTurn } from './support.mjs';

const LIMIT = 100;

/** All rows that a path answers with, as parsed objects. */
export async function rowsOf(port, path) {
  const rows = [];
  for (;;) {
    const answer = JSON.parse((await answerOf(port, `${path}&limit=${LIMIT}&offset=${rows.length}`)).body);
    rows.push(...answer.data);
    if (!answer.pagination.has_more) return rows;
  }
}

/** Fewer questions than this tell more of what else the process does than of answers. */
const LEAST_QUESTIONS = 1_000;

/**
 * Pages of 100 rows, or a few less, at each offset of each path. Each page of a short series is asked for in several lengths,
 * and each round has lengths of its own, so that no question repeats.
 */
function questions(paths, rows, { round, step }) {
  const pages = paths.flatMap((path, i) => {
    const offsets = Math.max(1, rows[i].length - LIMIT);
    return Array.from({ length: Math.ceil(offsets / step) }, (_, n) => `${path}&offset=${n * step}`);
  });
  const lengths = Math.min(9, Math.ceil(LEAST_QUESTIONS / pages.length));
  return Array.from({ length: lengths }, (_, n) => LIMIT - round * lengths - n).flatMap((limit) =>
    pages.map((page) => `${page}&limit=${limit}`),
  );
}

/** The microseconds of the processor that a page takes of each, and the ratio. */
export async function comparePages(ours, paths, { rounds = 5, step = 1 } = {}) {
  const rows = [];
  // One after the other: a key may have 20 requests at the same time.
  for (const path of paths) rows.push(await rowsOf(ours.port, path));
  const named = Object.fromEntries(paths.map((path, i) => [path.split('?')[0], rows[i]]));
  const objects = await startBeside('serve-objects.mjs', { rows: named });
  try {
    // Both are asked the same questions of a round.
    let round = -1;
    let asked;
    const next = () => {
      round += 1;
      asked = questions(paths, rows, { round, step });
      return timeOf(ours, asked);
    };
    const compared = await inTurn({ ours: next, theirs: () => timeOf(objects, asked), rounds, warmUps: 1 });
    const detail = `${compared.ours.toFixed(0)} against ${compared.theirs.toFixed(0)} microseconds`;
    return { ...compared, detail };
  } finally {
    await stop(objects);
  }
}

/** Microseconds of the server's processor for each of some questions. */
export async function timeOf({ port, takes }, questions) {
  const before = await takes();
  await loadOnce({ port, paths: questions });
  const after = await takes();
  return ((after.ms - before.ms) * 1_000) / questions.length;
}
