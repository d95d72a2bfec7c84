// What happens to a desk: each fault strikes, and is over when it returns.
import { pause } from './programs.mjs';
import { followWith } from './questions.mjs';

export function faultsOf({
  database,
  service,
  balancer,
  desk,
  receivers,
  subscriptions,
  random,
  counts,
  violation,
  key,
  moved,
}) {
  const { hosts } = desk;
  const below = (bound) => Math.floor(random() * bound);
  const one = (list) => list[below(list.length)];
  let names = 1;

  /** Commits are lost in the meantime: nobody knows at which moment an answer is the old one. */
  async function losing(work) {
    moved();
    const lost = await work();
    moved();
    for (const receiver of receivers) receiver.commitsLost();
    counts.add('commits lost', lost);
  }

  /** A new secret of a subscription; asked for again until it is told. */
  async function rotate(id, port) {
    for (let tries = 0; ; tries += 1) {
      const address = `http://127.0.0.1:${port}/v1/webhooks/subscriptions/${id}/rotate-secret`;
      try {
        const how = { method: 'POST', headers: { 'X-API-Key': 'k-owner' }, signal: AbortSignal.timeout(20_000) };
        const answer = await fetch(address, how);
        const text = await answer.text();
        if (answer.status === 200) return (JSON.parse(text).data ?? JSON.parse(text)).signing_secret;
        if (answer.status < 500) violation(`a rotation is answered ${answer.status}: ${text.slice(0, 300)}`);
      } catch {
        // The host is down.
      }
      if (tries === 60) throw new Error(`no secret of ${id} in a minute`);
      await pause(1000);
    }
  }

  async function rotateAt(ports) {
    const place = below(receivers.length);
    const done = receivers[place].rotating();
    done(await Promise.all(ports.map((port) => rotate(subscriptions[place], port))));
  }

  /** A new key in place of the old one: nobody gets in with that, and its streams end. */
  async function rekey() {
    const streams = await Promise.all(hosts.map(({ port }) => followWith(key.now, port).catch(() => undefined)));
    const old = key.now;
    names += 1;
    desk.setKeys(['k-owner', `k-caller-${names}`]);
    key.now = `k-caller-${names}`;
    key.since = Date.now();
    await pause(4000);
    for (const [i, { name, port }] of hosts.entries()) {
      const headers = { 'X-API-Key': old };
      const answer = await fetch(`http://127.0.0.1:${port}/v1/forex/EUR/USD?limit=1`, { headers }).catch(
        () => undefined,
      );
      if (answer && answer.status < 500 && answer.status !== 401)
        violation(`${name} answers ${answer.status} to a key that is gone`);
      if (answer && streams[i]?.isOpen) violation(`${name} keeps a stream of a key that is gone`);
    }
  }

  const stopFor = async (program, ms) => {
    program?.signal('SIGSTOP');
    await pause(ms);
    program?.signal('SIGCONT');
  };

  const faults = {
    async 'host killed'() {
      const host = one(hosts);
      host.serving.signal('SIGKILL');
      await host.serving.ended;
      await pause(below(3000));
      await host.serve();
    },
    'host stopped for 8 s': () => stopFor(one(hosts).serving, 8000),
    'sync killed': async () => one(hosts).sync?.signal('SIGKILL'),
    'sync stopped for 35 s': () => stopFor(one(hosts).sync, 35_000),
    'consumer killed': async () => one(hosts.slice(1)).stream?.signal('SIGKILL'),
    'pooler (transaction) killed': () => database.killPooler('transaction'),
    'pooler (session) killed': () => database.killPooler('session'),
    'balancer killed': () => balancer.kill(),
    'primary crashed': () => database.crash(),
    async 'failover with lost commits'() {
      await database.cutOff();
      await pause(6000);
      await losing(() => database.failOver());
      await pause(5000);
      await database.follow();
    },
    async restore() {
      await database.dump();
      await pause(8000);
      await losing(() => database.restore());
    },
    'secret rotated': () => rotateAt([one(hosts).port]),
    'secret rotated on two hosts at once': () => rotateAt(hosts.slice(0, 2).map(({ port }) => port)),
    'keys of callers changed': rekey,
    'service killed': () => service.kill(),
    'receiver away for 3 s': () => one(receivers).kill(3000),
    async 'receiver failing for 5 s'() {
      const receiver = one(receivers);
      receiver.failing(true);
      await pause(5000);
      receiver.failing(false);
    },
  };

  /** Every fault once in an order of its own, then again. */
  return async function strike(going) {
    for (;;) {
      const left = Object.keys(faults);
      while (left.length > 0) {
        if (!going()) return;
        const [name] = left.splice(below(left.length), 1);
        process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${name}\n`);
        await faults[name]();
        counts.add(`fault: ${name}`);
        await pause(1500 + below(2500));
      }
    }
  };
}
