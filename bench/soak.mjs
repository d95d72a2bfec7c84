// `macro serve` for a long time under pages, streams, webhooks, readers and a sync: npm run soak -- --minutes 60. Writes memory and open
// files as a picture, bench/soak.svg, and prints how much the second half differs from the first. Linux tells both in /proc.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { picture } from './picture.mjs';
import { sandboxHome, startMacro, stop } from './serve-programs.mjs';
import { benchFolder, seeded } from './support.mjs';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const LOOK_MS = 5_000;
const program = join(benchFolder, '..', 'bin', 'macro.js');
const run = promisify(execFile);
const random = seeded(1);
const below = (bound) => Math.floor(random() * bound);
const counts = { pages: 0, events: 0, deliveries: 0, releases: 0, syncs: 0, reads: 0, failures: 0 };
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const going = () => Date.now() < end;

const PATHS = [
  ...['/v1/forex/EUR/USD?limit=20&offset=', '/v1/forex/GBP/JPY?limit=20&indicators=all&offset='],
  ...['/v1/announcements/USD/inflation?limit=20&offset=', '/v1/commodities/gold?limit=50&offset='],
  ...['/v1/calendar/USD?n=', '/v1/announcements/USD/latest?n=', '/v1/recent/announcements/USD?limit=20&offset='],
];

const home = await sandboxHome();
const folder = mkdtempSync(join(tmpdir(), 'macro-soak-'));
const sink = createServer((request, response) => {
  request.resume().on('end', () => {
    counts.deliveries += 1;
    response.writeHead(204).end();
  });
});
await new Promise((resolve) => sink.listen(0, '127.0.0.1', resolve));
const server = await startMacro(home, ['--sandbox', '--no-quota', '--allow-local-destinations']);
const origin = `http://127.0.0.1:${server.port}`;
const keyed = { headers: { 'X-API-Key': 'first' } };
const looks = [];
const begun = Date.now();
const end = begun + Number(values.minutes) * 60_000;
try {
  const hook = `http://127.0.0.1:${sink.address().port}/hook`;
  await macro(['webhooks', 'create', '--url', hook, '--print-secret', '--base-url', origin], {
    MACRO_HOME: join(folder, 'caller'),
  });
  await Promise.all([look(), ask(), ask(), follow(), follow(), release(), sync(), read()]);
} finally {
  await stop(server);
  sink.close();
  rmSync(folder, { recursive: true, force: true });
}
writeFileSync(join(benchFolder, 'soak.svg'), pictureOf(looks));
const steady = looks.slice(Math.floor(looks.length / 4));
const halves = [steady.slice(0, steady.length / 2), steady.slice(steady.length / 2)];
const [first, second] = halves.map((half) => ({ megabytes: median(half, 'megabytes'), files: median(half, 'files') }));
const most = Math.max(...looks.map(({ megabytes }) => megabytes));
const growth = second.megabytes / first.megabytes;
process.stdout.write(
  `${values.minutes} minutes: ${Object.entries(counts)
    .map(([name, many]) => `${many} ${name}`)
    .join(', ')}\n`,
);
process.stdout.write(
  `memory ${first.megabytes} MB, then ${second.megabytes} MB (${growth.toFixed(2)}x), ${most} MB at most\n`,
);
process.stdout.write(`open files ${first.files}, then ${second.files}\n`);
process.exitCode = growth <= 1.1 && second.files <= first.files + 5 ? 0 : 1;

async function look() {
  const { pid } = server.child;
  while (going()) {
    const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    const files = readdirSync(`/proc/${pid}/fd`).length;
    looks.push({ at: Date.now() - begun, megabytes: Math.round(Number(rss) / 1024), files });
    await pause(LOOK_MS);
  }
}

/** Pages, each question a new one. */
async function ask() {
  while (going()) {
    const answer = await fetch(`${origin}${PATHS[below(PATHS.length)]}${below(2_000)}`, keyed);
    await answer.arrayBuffer();
    counts[answer.status < 500 ? 'pages' : 'failures'] += 1;
    await pause(20);
  }
}

/** A stream that is left and taken up again. */
async function follow() {
  while (going()) {
    const leave = AbortSignal.timeout(Math.min(5_000 + below(20_000), Math.max(1, end - Date.now())));
    try {
      const answer = await fetch(`${origin}/v1/stream/events`, { ...keyed, signal: leave });
      if (answer.status !== 200) counts.failures += 1;
      for await (const piece of answer.body)
        counts.events += Buffer.from(piece).toString().split('event: announcement').length - 1;
    } catch {
      // Left on purpose.
    }
    await pause(100);
  }
}

/** Releases, which the stream and the webhooks send on. */
async function release() {
  const mirror = ['--mirror', join(home, 'mirrors', '_served-sandbox.db')];
  while (going()) {
    const made = await macro(['webhooks', 'trigger', 'usd', 'inflation', '--val', String(below(90) / 10), ...mirror], {
      MACRO_HOME: home,
    });
    counts[made ? 'releases' : 'failures'] += 1;
    await pause(4_000);
  }
}

/** Another mirror that is kept from this server. */
async function sync() {
  for (let turn = 0; going(); turn += 1) {
    const mirror = join(folder, `synced-${turn % 5}.db`);
    const words = [
      'sync',
      'fx eur usd, calendar usd, announcements usd inflation',
      '--quiet',
      '--base-url',
      origin,
      '--mirror',
      mirror,
    ];
    counts[(await macro(words, { MACRO_HOME: join(folder, 'caller') })) ? 'syncs' : 'failures'] += 1;
    await pause(3_000);
  }
}

/** Other programs that read the file of the server. */
async function read() {
  while (going()) {
    const words = ['fx', 'eur', 'usd', '--offline', '--mirror', join(home, 'mirrors', '_served-sandbox.db')];
    counts[(await macro(words, { MACRO_HOME: home })) ? 'reads' : 'failures'] += 1;
    await pause(3_000);
  }
}

async function macro(words, env) {
  try {
    await run(process.execPath, [program, ...words], { env: { ...process.env, MACRO_API_KEY: 'first', ...env } });
    return true;
  } catch (error) {
    process.stderr.write(`macro ${words.slice(0, 3).join(' ')}: ${String(error.stderr ?? error).slice(0, 300)}\n`);
    return false;
  }
}

function median(list, name) {
  const sorted = list.map((one) => one[name]).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Two lines over the time: memory and open files. */
function pictureOf(points) {
  const last = points.at(-1)?.at ?? 1;
  const panel = (name, title) => ({
    title: `${title}, at most ${Math.max(...points.map((point) => point[name]))}`,
    points: points.map((point) => ({ x: point.at / last, y: point[name] })),
  });
  return picture('Memory and open files of macro serve over the time', {
    panels: [panel('megabytes', 'Resident memory of macro serve, MB'), panel('files', 'Open files')],
    ticks: [
      { x: 0, text: '0' },
      { x: 1, text: `${Math.round(last / 60_000)} minutes` },
    ],
  });
}
