// A mirror whose rows were revised since three days ago, and answers of it as they were known then, or long before, against the
// same ones now. One row in twenty was revised; the mirror is opened anew for each round of answers, so that nothing is remembered.
import { readParams } from '../src/contract/params/read-params.ts';
import { endpointById, MAPPINGS } from '../src/endpoints/index.ts';
import { openMirror } from '../src/mirror/sqlite/open.ts';
import { createMirrorSource } from '../src/source/mirror.ts';
import { commitOf, NOW, platform, ratesOf, SERVICE, withFiles } from './mirror-support.mjs';
import { inTurn } from './support.mjs';

const DAY = 86_400_000;
const DAYS = 6000;
/** When the mirror first had them. */
const FIRST = NOW - 4 * DAY;
const LABELS = { service: 'bench', storage: 'bench', publicBaseUrl: '', subscribeUrl: '', docsUrl: '' };
const LAST = { last: NOW - DAY };

function revised({ value }) {
  const changed = { ...value, val: value.val + 0.01, close: value.close + 0.01 };
  return { text: JSON.stringify(changed), value: changed };
}

/** A yield of each day, announced in the evening, with the vintages that it had. */
function printOf({ value: { date, val } }, more = []) {
  const epoch = Date.parse(date) / 1000 + 75_600;
  const listed = [{ epoch, val, is_first_release: true }, ...more];
  const value = { date, val: listed.at(-1).val, announcement_datetime: epoch, revisions: listed };
  return { text: JSON.stringify(value), value };
}

async function fill(path) {
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'write' });
  const rates = ratesOf(DAYS, LAST);
  const old = rates.filter((_, i) => i % 20 === 0);
  await mirror.commitPage(commitOf('USD', rates, { at: FIRST }));
  const series = { origin: SERVICE, endpoint: 'announcements', scope: { currency: 'USD', indicator: 'gov_bond_10y' } };
  const later = (row) => printOf(row, [{ epoch: NOW / 1000 - 3600, val: row.value.val + 0.01 }]);
  await mirror.commitPage(
    commitOf(
      '',
      rates.map((row) => printOf(row)),
      { series, at: FIRST },
    ),
  );
  await mirror.commitPage(commitOf('USD', old.map(revised), { extent: 'adds' }));
  await mirror.commitPage(commitOf('', old.map(later), { series, extent: 'adds' }));
  mirror.close();
}

/** A question as a person types it. */
export function question(id, path, query) {
  const endpoint = endpointById(id);
  return { endpoint, args: readParams(endpoint, { path, query }, { mode: 'liberal', now: NOW }).args };
}

async function answers(path, questions, asOf) {
  const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode: 'read' });
  const source = createMirrorSource({ mirror, labels: LABELS });
  for (const asked of questions) {
    const { body } = await source.ask(asked, { caller: { kind: 'owner' }, now: NOW, ...(asOf && { asOf }) });
    if (JSON.parse(body).data.length !== 20) throw new Error(`${asked.endpoint.id}: ${body.slice(0, 300)}`);
  }
  mirror.close();
}

/** Answers as they were known some days ago compared with those as they are now, in milliseconds of processor time. */
export async function thenAgainstNow(questions, { daysAgo = 3 } = {}) {
  return withFiles(async (path) => {
    const file = path();
    await fill(file);
    return inTurn({
      ours: () => processorTime(() => answers(file, questions, { at: NOW - daysAgo * DAY, by: 'public' })),
      theirs: () => processorTime(() => answers(file, questions, undefined)),
    });
  });
}

/** Milliseconds: what other programs do meanwhile counts less than on a clock. */
async function processorTime(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
