import { EventEmitter, once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { main } from '../../src/main.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import type { Run } from '../../src/platform/platform.ts';
import { signDelivery } from '../../src/webhooks/sign.ts';
import { commandThat } from '../support/command-that.ts';
import { inMirror } from '../support/in-mirror.ts';
import { freshFolder, type TestPlatform, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { BODY, bytes, EVENT_ID, HEADERS, headersWith, SECRET, TIMESTAMP } from '../webhooks/vector.ts';

const ENV = { MACRO_WEBHOOK_SECRET: `whsec_old,${SECRET}`, MACRO_BASE_URL: 'https://api.example.test' };
const EVENT =
  '{"event_id":"usd_inflation_1791981000","currency":"usd","indicator":"inflation","records_written":1,"latest_announcement":{"date":"2026-09-30","val":3.2,"announcement_datetime":"2026-10-14T12:30:00Z"},"timestamp":1791981002,"release_timestamp":1791981000}';

/** The command while it runs in this process. */
async function listening(env: Readonly<Record<string, string>> = ENV, words: readonly string[] = [], run?: Run) {
  const world = testPlatform({ env, now: TIMESTAMP * 1000, sleeping: 'waits', ...(run && { run }) });
  const { io } = world.platform;
  const said = new EventEmitter();
  const stdout = {
    ...io.stdout,
    async write(text: string) {
      await io.stdout.write(text);
      said.emit('line', text);
    },
  };
  const ended = main(['webhooks', 'listen', '--port', '0', ...words], { ...world.platform, io: { ...io, stdout } });
  const [first] = await once(said, 'line');
  const { address } = JSON.parse(String(first));
  const send = async (body = BODY, headers = HEADERS) =>
    (await fetch(address, { method: 'POST', body, headers: headers.map(([n, v]) => [n, v] as [string, string]) }))
      .status;
  return { ...world, address: String(address), send, ended, nextLine: () => once(said, 'line') };
}

const held = <T>({ folder, platform }: TestPlatform, read: (mirror: Mirror) => Promise<T>) =>
  inMirror({ path: join(folder, 'macro', 'mirrors', 'default.db'), platform }, read);

const journaled = ({ journal }: Mirror) => journal.events({ after: 0, limit: 10 });

/** Of each row of changes, whether it came by a key. */
async function keyedRows(mirror: Mirror): Promise<readonly (boolean | undefined)[]> {
  const [series] = await mirror.find({ endpoint: 'announcements_changes', scope: {} });
  return series ? (await mirror.rows(series, {})).map(({ keyed }) => keyed) : [];
}

describe('macro webhooks listen', () => {
  it('says where it listens, then has one line and one event of however many copies, and ends when told', async () => {
    const at = await listening();
    const line = at.nextLine();
    expect(await Promise.all(Array.from({ length: 8 }, () => at.send()))).toEqual(Array(8).fill(204));
    await line;
    at.interrupt('SIGTERM');
    expect(await at.ended).toBe(143);
    expect(at.out()).toBe(`{"ready":true,"address":"${at.address}"}\n${EVENT}\n`);
    expect(await held(at, journaled)).toMatchObject([
      { id: EVENT_ID, origin: 'https://api.example.test', text: EVENT, arrivals: [{ via: 'webhook' }] },
    ]);
  });

  it('refuses what does not hold, keeps nothing of it, and says why once a minute, without the secret', async () => {
    const at = await listening();
    const stale = headersWith({ 'x-svc-timestamp': String(TIMESTAMP - 301) });
    const statuses = [await at.send(`${BODY} `), await at.send(`${BODY} `), await at.send(BODY, stale)];
    at.interrupt('SIGINT');
    expect([...statuses, await at.ended]).toEqual([401, 401, 400, 130]);
    expect(await held(at, journaled)).toEqual([]);
    expect(at.err().match(/^warning: .*$/gm)).toEqual([
      'warning: a delivery was not taken (bad_signature): the signature is that of none of the secrets',
      'warning: a delivery was not taken (stale_timestamp): the timestamp is 301 seconds old, and at most 300 are taken',
    ]);
    expect(at.err() + at.out()).not.toContain(SECRET);
  });

  it('takes what is signed with a secret that came while it runs', async () => {
    const world = await listening();
    const message = { timestamp: String(TIMESTAMP + 5), eventId: EVENT_ID, body: bytes(BODY) };
    const headers = headersWith({
      'x-svc-timestamp': message.timestamp,
      'x-svc-signature': signDelivery(message, 'whsec_new'),
    });
    expect(await world.send(BODY, headers)).toBe(401);
    await world.clock.advance(5_000);
    Object.assign(world.platform.env, { MACRO_WEBHOOK_SECRET: 'whsec_new' });
    expect(await world.send(BODY, headers)).toBe(204);
    world.interrupt();
    expect(await world.ended).toBe(130);
  });

  it('takes nothing unmarked into a mirror of generated numbers', async () => {
    const words = ['--mirror', join(freshFolder(), 'made-up.db')];
    const first = await listening(ENV, words);
    expect(await first.send(BODY, [...HEADERS, ['X-SVC-Synthetic', '1']])).toBe(204);
    first.interrupt();
    await first.ended;
    const second = await listening(ENV, words);
    expect(await second.send()).toBe(400);
    second.interrupt();
    await second.ended;
    expect(second.err()).toContain('has synthetic data; this is real');
  });

  it('asks for another try while another program writes the mirror, and takes it then', async () => {
    const at = await listening();
    const other = new Database(join(at.folder, 'macro', 'mirrors', 'default.db'));
    onTestFinished(() => void other.close());
    other.exec('begin immediate');
    expect(await Promise.all([at.send(), at.send()])).toEqual([503, 503]);
    other.exec('rollback');
    expect(await at.send()).toBe(204);
    at.interrupt();
    await at.ended;
  });

  it('gives each event to a command once, however often it is posted, and moves its cursor when it is done', async () => {
    const given = new EventEmitter();
    const runs: string[] = [];
    const run = commandThat((event, line) => {
      runs.push(`${line} ${event}`);
      given.emit('one');
      return {};
    });
    const at = await listening(ENV, ['--exec', './desk', '--consumer', 'desk'], run);
    const one = once(given, 'one');
    expect([await at.send(), await at.send()]).toEqual([204, 204]);
    while (runs.length === 0) await at.clock.advance(250);
    await one;
    at.interrupt('SIGTERM');
    expect(await at.ended).toBe(143);
    expect(runs).toEqual([`/bin/sh -c ./desk ${EVENT}`]);
    expect(at.out()).toBe(`{"ready":true,"address":"${at.address}"}\n${EVENT}\n`);
    expect((await held(at, ({ journal }) => journal.consumer('desk')))?.position).toBe(1);
  });

  it('never says that it is ready when another program is its consumer: exit 75', async () => {
    const words = ['--consumer', 'desk'];
    const first = await listening(ENV, words);
    const second = testPlatform({ env: { ...ENV, MACRO_HOME: join(first.folder, 'macro') } });
    const ran = await macro('webhooks listen --port 0 --consumer desk', second);
    expect([ran.code, ran.out]).toEqual([75, '']);
    expect(ran.err).toContain('The consumer desk of ');
    first.interrupt();
    expect(await first.ended).toBe(130);
  });

  it('keeps an event as what a key brought, so that it is not shown to everybody before its time', async () => {
    const at = await listening();
    await at.send();
    at.interrupt();
    await at.ended;
    expect(await held(at, keyedRows)).toEqual([true]);
  });

  it.each([
    ['', {}, 4, 'There is no signing secret to check with.'],
    [' --secret-file secrets.txt', {}, 4, 'No service is chosen, so nobody knows whose events these would be.'],
    [' --port 70000', ENV, 2, "'70000' is no port."],
    [' --path webhook', ENV, 2, "'webhook' is no path for --path."],
    [' now', ENV, 2, 'macro webhooks listen takes no words.'],
  ])('%s with %o is exit %d', async (words, env, code, message) => {
    const world = testPlatform({ env });
    writeFileSync(join(world.folder, 'secrets.txt'), `${SECRET}\n`);
    const ran = await macro(`webhooks listen${words}`, world);
    expect([ran.code, ran.out, ran.err.split('\n')[0]]).toEqual([code, '', `macro: ${message}`]);
  });
});
