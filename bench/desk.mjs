// A desk under load: npm run desk -- --minutes 10 --seed 7. Three hosts with state folders of their own over one PostgreSQL, each on its
// own way to it (PgBouncer in transaction mode, in session mode, both servers named), a balancer, a service and receivers of webhooks, all on
// loopback. Every part is killed, the standby takes over without the last commits, a backup is restored, secrets and keys change. Linux only.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startDatabase } from './desk/database.mjs';
import { faultsOf } from './desk/faults.mjs';
import { INDICATORS, startBalancer, startHosts, startService } from './desk/hosts.mjs';
import { macroOn, pause, start, until } from './desk/programs.mjs';
import { startCallers } from './desk/questions.mjs';
import { startReceivers } from './desk/receivers.mjs';
import { seeded } from './support.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '7' },
    keep: { type: 'boolean' },
  },
});
const random = seeded(Number(values.seed));
const counts = new Map();
counts.add = (name, many = 1) => void counts.set(name, (counts.get(name) ?? 0) + many);
const violations = [];
const violation = (what) => {
  process.stderr.write(`VIOLATION ${new Date().toISOString().slice(11, 19)} ${what}\n`);
  violations.push(what);
};
const key = { now: 'k-caller-1', since: 0 };
let epoch = 0;

const folder = mkdtempSync(join(tmpdir(), 'macro-desk-'));
process.on('exit', () => values.keep || violations.length > 0 || rmSync(folder, { recursive: true, force: true }));
process.stderr.write(`${folder}\n`);

const database = await startDatabase(folder);
const service = await startService(folder);
const keys = ['k-owner', key.now];
const desk = await startHosts({ folder, addresses: database.addresses, service, keys, counts, violation });
const balancer = await startBalancer(folder, desk.hosts);
const receivers = await startReceivers(3, { counts, violation });
const subscriptions = [];
for (const receiver of receivers) {
  const done = receiver.rotating();
  const { id, signing_secret: secret } = await subscribe(receiver.url);
  subscriptions.push(id);
  done([secret]);
}
// A consumer begins with the events that come after it.
await until(
  async () => (await database.sql(`select 1 from consumers where name = 'desk'`)).length > 0,
  'the consumer is there',
);
await database.caughtUp();

const entrances = [balancer.port, balancer.port, ...desk.hosts.map(({ port }) => port)];
const callers = startCallers({ database, entrances, random, counts, violation, key, epoch: () => epoch });
const strike = faultsOf({
  ...{ database, service, balancer, desk, receivers, subscriptions, random, counts, violation, key },
  moved: () => {
    epoch += 1;
  },
});
const end = Date.now() + Number(values.minutes) * 60_000;
const going = () => Date.now() < end;
const events = new Map();
const runs = new Map();
const watching = [release(), watchRuns()];
await strike(going);
await Promise.all(watching);
await settle();
await callers.stop();
await desk.stop();
await compareEnd();
report();
process.exit(violations.length > 0 ? 1 : 0);

async function subscribe(url) {
  const headers = { 'X-API-Key': 'k-owner', 'Content-Type': 'application/json' };
  const address = `http://127.0.0.1:${balancer.port}/v1/webhooks/subscriptions`;
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ url }) });
  const body = await answer.json();
  if (answer.status !== 201) throw new Error(`no subscription: ${answer.status} ${JSON.stringify(body)}`);
  return body.data ?? body;
}

/** Releases at the service; the last value of each indicator is what the mirror has to end with. */
async function release() {
  for (let turn = 1; going(); turn += 1) {
    const indicator = INDICATORS[Math.floor(random() * INDICATORS.length)];
    const val = turn / 10;
    try {
      events.set(await service.release(indicator, val), { indicator, val });
      counts.add('events');
    } catch (error) {
      // Of a service that was killed on the way nobody knows whether it took the release.
      counts.add('releases that failed');
      if (!/locked|busy/i.test(error.message)) process.stderr.write(`${error.message.slice(0, 300)}\n`);
    }
    await pause(1500);
  }
}

/** Runs of syncs as the database notes them: no two overlap. What a restore takes away was looked at before. */
async function watchRuns() {
  while (going()) {
    const found = await database
      .sql(`select id, started, ended, holder from runs where outcome in ('complete', 'incomplete')`)
      .catch(() => []);
    for (const run of found) {
      const name = `${run.id} ${run.started}`;
      if (runs.has(name)) continue;
      for (const other of runs.values())
        if (run.started < other.ended && other.started < run.ended)
          violation(`syncs of ${run.holder} and ${other.holder} ran at once: ${JSON.stringify([run, other])}`);
      runs.set(name, run);
    }
    await pause(1000);
  }
}

/** Nothing strikes any more: what was made up has to come. */
async function settle() {
  const missing = () =>
    receivers.flatMap(({ taken }, i) =>
      [...events.keys()].filter((id) => !taken.has(id)).map((id) => `${id} at receiver ${i}`),
    );
  await until(() => missing().length === 0, 'every event is delivered', 120).catch(() =>
    violation(`not delivered: ${missing().join(', ')}`),
  );
}

async function compareEnd() {
  for (const indicator of INDICATORS) {
    const last = [...events.values()].findLast((one) => one.indicator === indicator);
    const [row] = await database.sql(
      `select val from v_announcements where currency = 'USD' and indicator = '${indicator}' order by date desc limit 1`,
    );
    if (last && row.val !== last.val)
      violation(`the mirror ends with ${row.val} of ${indicator}, the service with ${last.val}`);
  }
  const unhandled = [...events.keys()].filter((id) => !desk.handled.has(id));
  if (unhandled.length > 0) violation(`the consumer never handled ${unhandled.join(', ')}`);
  const env = { MACRO_HOME: desk.hosts[2].home, HOME: desk.hosts[2].home, MACRO_MIRROR: database.addresses[2] };
  const { code, out, err } = await start(macroOn('desk2', ['mirror', 'verify']), { folder, log: 'verify', env }).ended;
  if (code !== 0) violation(`mirror verify ended with ${code}: ${out}${err}`);
}

function report() {
  const share = (list, part) => list.toSorted((a, b) => a - b)[Math.floor((list.length - 1) * part)] ?? 0;
  const shown = (list) => `${share(list, 0.5).toFixed(0)} / ${share(list, 0.99).toFixed(0)} ms`;
  const lines = [
    ...[...counts].sort(([a], [b]) => (a < b ? -1 : 1)),
    ['answer, half of them / 99 of 100 within', shown(callers.waits)],
    ['release to first delivery, half / 99 of 100', shown(receivers.flatMap(({ delays }) => delays))],
    ['runs of syncs compared', runs.size],
    ['violations', violations.length],
  ];
  process.stdout.write(`seed ${values.seed}, ${values.minutes} minutes\n\n| what | count |\n|---|---|\n`);
  for (const [name, many] of lines) process.stdout.write(`| ${name} | ${many} |\n`);
}
