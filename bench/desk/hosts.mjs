// The hosts of a desk: `macro` on each as on a machine of its own, a balancer before them, and the service that they sync from.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../test/support/postgres.ts';
import { macroOn, pause, start, until } from './programs.mjs';

const BALANCER = ['/usr/sbin/haproxy', '/usr/bin/haproxy'].find((path) => existsSync(path));
const NAME = 'desk.test';
export const INDICATORS = ['inflation', 'gdp', 'unemployment', 'retail_sales'];
const WORDS = `${INDICATORS.map((name) => `announcements usd ${name}`).join(', ')}, fx eur usd`;
/** Complete, incomplete, another one runs; ended by faults of the network, of the mirror, by a lost lock, or from outside. */
const ENDS = [0, 10, 75, 6, 8, 143, 'SIGKILL', 'SIGTERM'];

const isReady = (port) =>
  fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** The sandbox as a service on loopback, with events that are made up. */
export async function startService(folder) {
  const home = join(folder, 'service');
  mkdirSync(home);
  const port = await freePort();
  const env = { MACRO_HOME: home, HOME: home };
  const words = ['serve', '--sandbox', '--no-quota', '--port', `${port}`];
  let program;
  const begin = async () => {
    program = start(macroOn(undefined, words), { folder, log: 'service', env });
    await until(() => isReady(port), 'the service answers', 180);
  };
  await begin();
  return {
    address: `http://127.0.0.1:${port}`,
    async kill() {
      program.signal('SIGKILL');
      await program.ended;
      await begin();
    },
    /** Id of a release that is made up. */
    async release(indicator, val) {
      const file = join(home, 'mirrors', '_served-sandbox.db');
      const command = [
        'webhooks',
        'trigger',
        'usd',
        indicator,
        '--val',
        `${val}`,
        '--mirror',
        file,
        '--format',
        'json',
      ];
      const { code, out, err } = await start(macroOn(undefined, command), { folder, log: 'releases', env }).ended;
      if (code !== 0) throw new Error(`macro webhooks trigger ended with ${code}: ${err}`);
      return JSON.parse(out).data[0].event_id;
    },
  };
}

/** The keys of callers, which each host has in a file of its own. */
function keysFile(home, keys) {
  const path = join(home, 'keys.txt');
  writeFileSync(path, keys.map((key, i) => `${key} business caller${i}\n`).join(''), { mode: 0o600 });
  return path;
}

export async function startHosts({ folder, addresses, service, keys, counts, violation }) {
  const deskKey = join(folder, 'desk.key');
  const stopping = new AbortController();
  const hosts = [];
  for (const [i, address] of addresses.entries()) {
    const name = `desk${i}`;
    const home = join(folder, name);
    mkdirSync(home);
    const port = await freePort();
    const env = { MACRO_HOME: home, HOME: home, MACRO_MIRROR: address, MACRO_BASE_URL: service.address };
    Object.assign(env, { MACRO_API_KEY: 'k-desk', MACRO_DESK_KEY_FILE: deskKey });
    const macro = (words, log) => start(macroOn(name, words), { folder, log: `${name}-${log}`, env });
    const host = { name, home, port, macro, keys: keysFile(home, keys), serving: undefined };
    host.serve = async () => {
      const waits = ['--webhook-waits', Array(20).fill('1s').join(','), '--webhook-failures', '1000'];
      const words = ['serve', '--port', `${port}`, '--keys', host.keys, '--allowed-host', NAME, '--no-quota'];
      host.serving = macro([...words, '--allow-local-destinations', ...waits], 'serve');
      await until(() => isReady(port), `${name} answers`);
    };
    hosts.push(host);
  }

  const first = await hosts[0].macro(['sync', WORDS], 'sync').ended;
  if (first.code !== 0) throw new Error(`the first sync ended with ${first.code}: ${first.err}`);
  for (const host of hosts) await host.serve();

  /** One program after the other on a host: of those of all hosts one at a time gets to work. */
  async function keepRunning(host, kind, words) {
    while (!stopping.signal.aborted) {
      const program = host.macro(words, kind);
      host[kind] = program;
      // A sync comes to its end.
      if (kind === 'stream') stopping.signal.addEventListener('abort', () => program.signal('SIGTERM'), { once: true });
      const { code, out, err } = await program.ended;
      host[kind] = undefined;
      for (const [, id] of out.matchAll(/"event_id":"([^"]+)"/g)) handled.add(id);
      if (ENDS.includes(code)) counts.add(`${kind}: ended with ${code}`);
      else violation(`${kind} on ${host.name} ended with ${code}: ${err.slice(-400)}`);
      await pause(kind === 'sync' ? 1500 : 4000);
    }
  }
  const handled = new Set();
  const sync = ['sync', WORDS, '--max-time', '90s'];
  const stream = ['stream', '--consumer', 'desk', '--format', 'ndjson', '--quiet'];
  const loops = [
    ...hosts.map((host) => keepRunning(host, 'sync', sync)),
    ...hosts.slice(1).map((host) => keepRunning(host, 'stream', stream)),
  ];
  return {
    hosts,
    handled,
    /** New keys of callers, told by SIGHUP on one host in two. */
    setKeys(all) {
      for (const [i, host] of hosts.entries()) {
        keysFile(host.home, all);
        if (i % 2 === 0) host.serving.signal('SIGHUP');
      }
    },
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      const { code, err } = await hosts[0].macro(['sync', WORDS, '--wait'], 'sync').ended;
      if (code !== 0) violation(`the last sync ended with ${code}: ${err.slice(-400)}`);
    },
  };
}

export async function startBalancer(folder, hosts) {
  if (!BALANCER) throw new Error('There is no haproxy on this machine: apt-get install haproxy');
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  const check = 'http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host';
  const lines = [
    ...['defaults', ' mode http', ' timeout connect 1s', ' timeout client 60s', ' timeout server 30s'],
    ...[' option redispatch', ' retries 2', 'frontend desk', ` bind 127.0.0.1:${port}`, ' default_backend hosts'],
    ...['backend hosts', ' balance roundrobin', ` http-request set-header Host ${NAME}`],
    ...[' option httpchk', ` ${check} ${NAME}`],
    ...hosts.map((host) => ` server ${host.name} 127.0.0.1:${host.port} check inter 500 fall 2 rise 1`),
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  let program;
  const begin = () => {
    program = start([BALANCER, '-db', '-f', file], { folder, log: 'haproxy' });
  };
  begin();
  await until(() => isReady(port), 'the balancer answers');
  return {
    port,
    async kill() {
      program.signal('SIGKILL');
      await program.ended;
      begin();
    },
  };
}
