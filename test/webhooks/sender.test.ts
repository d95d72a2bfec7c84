import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { settle } from '../support/clock.ts';
import { NAMES, REFUSED } from './destinations.ts';
import { answers, type Destination, hangs, idOf, lockedFor, NOW, refusesConnections, sendingWorld } from './sending.ts';
import { BODY, EVENT_ID, SECRET } from './vector.ts';

const GOOD = 'good.example.com';
const eventOf = (nth: number) => `usd_gdp_${1_791_981_000 + nth}`;
const events = (count: number) => Array.from({ length: count }, (_, nth) => eventOf(nth));
const textOf = (body: Uint8Array) => Buffer.from(body).toString();

describe('the sender', () => {
  it('posts the test vector, signed by the rule of the specification', async () => {
    const world = await sendingWorld({ [GOOD]: answers(200) });
    await world.subscribe(GOOD);
    world.sender().start();
    await world.arrive(EVENT_ID);
    await world.pass(0.5);
    const [sent] = world.sent;
    const body = BODY.replaceAll('sub_01hzx4m2q7', idOf(GOOD));
    const { url, addresses, headers } = sent?.request ?? {};
    expect([String(url), addresses]).toEqual(['https://good.example.com/in', ['93.184.215.14']]);
    expect(textOf(sent?.request.body ?? new Uint8Array())).toBe(body);
    const timestamp = '1791981003';
    const digest = createHmac('sha256', SECRET).update(`${timestamp}.${EVENT_ID}.${body}`).digest('hex');
    expect(headers).toEqual({
      'Content-Type': 'application/json',
      'User-Agent': 'SVC-Webhooks/1.0',
      'X-SVC-Event': 'announcement',
      'X-SVC-Event-ID': EVENT_ID,
      'X-SVC-Delivery-ID': `${idOf(GOOD)}_${EVENT_ID}`,
      'X-SVC-Timestamp': timestamp,
      'X-SVC-Signature': `v1=${digest}`,
    });
    expect(await world.states(GOOD)).toEqual([['succeeded', 1, undefined]]);
    expect(await world.books(GOOD)).toMatchObject({ successes: 1, failures: 0 });
  });

  it('sends what is wanted, once', async () => {
    const world = await sendingWorld({ [GOOD]: answers(204) });
    await world.arrive('usd_gdp_1');
    await world.subscribe(GOOD, { currencies: ['usd'], indicators: ['gdp'] });
    world.sender().start();
    await world.arrive('usd_gdp_2', 'eur_gdp_3', 'usd_inflation_4', 'usd_gdp_5');
    await world.pass(1);
    await world.arrive('usd_gdp_2', 'usd_gdp_6');
    await world.pass(10);
    expect(world.sent.map(({ event }) => event)).toEqual(['usd_gdp_2', 'usd_gdp_5', 'usd_gdp_6']);
  });

  it('keeps the bytes of a body over all attempts, and signs each anew', async () => {
    const world = await sendingWorld({ [GOOD]: (_, nth) => ({ status: nth < 3 ? 500 : 200, headers: new Headers() }) });
    await world.subscribe(GOOD);
    world.sender().start();
    await world.arrive(EVENT_ID);
    await world.pass(310);
    const bodies = new Set(world.sent.map(({ request }) => textOf(request.body)));
    const stamps = world.sent.map(({ request }) => request.headers['X-SVC-Timestamp']);
    const signatures = new Set(world.sent.map(({ request }) => request.headers['X-SVC-Signature']));
    expect([world.sent.length, bodies.size, signatures.size]).toEqual([3, 1, 3]);
    expect(stamps).toEqual(['1791981003', '1791981008', '1791981308']);
    expect(await world.states(GOOD)).toEqual([['succeeded', 3, undefined]]);
  });

  it('has at most four posts to a subscription under way', async () => {
    let open = 0;
    let most = 0;
    const world = await sendingWorld({});
    const slow: Destination = async () => {
      open += 1;
      most = Math.max(most, open);
      await world.clock.sleep(1000);
      open -= 1;
      return { status: 200, headers: new Headers() };
    };
    const busy = await sendingWorld({ [GOOD]: slow });
    await busy.subscribe(GOOD);
    busy.sender().start();
    await busy.arrive(...events(10));
    await busy.pass(1);
    expect(busy.sent.length).toBe(4);
    for (let second = 0; second < 3; second += 1) {
      await world.clock.advance(1000);
      await busy.pass(0.25);
    }
    expect([most, (await busy.states(GOOD)).filter(([status]) => status === 'succeeded').length]).toEqual([4, 10]);
  });

  it('judges a destination again before each attempt: a name that leads inside by then is not posted to', async () => {
    const world = await sendingWorld({ [GOOD]: answers(500) });
    await world.subscribe(GOOD);
    world.sender().start();
    await world.arrive(eventOf(1));
    await world.pass(1);
    world.names.set(GOOD, ['93.184.215.14', '169.254.169.254']);
    await world.pass(10);
    expect(world.times(GOOD)).toEqual([0.25]);
    expect(await world.states(GOOD)).toEqual([['failed', 2, 'destination refused: private_address']]);
  });

  it('posts to no destination of the table of forbidden ones, however it came into the mirror', async () => {
    const world = await sendingWorld({});
    for (const [name, addresses] of Object.entries(NAMES)) world.names.set(name, addresses);
    world.names.set('nowhere.example.com', []);
    for (const [i, [url]] of REFUSED.entries()) await world.subscribe(`s${i}.example.com`, { url });
    world.sender().start();
    await world.arrive(eventOf(1));
    await world.pass(1);
    expect(world.sent).toEqual([]);
    for (const [i, [url, reason]] of REFUSED.entries()) {
      const status = reason === 'unresolved_host' ? 'retrying' : 'failed';
      const record = [status, 1, `destination refused: ${reason}`];
      expect([url, ...(await world.states(`s${i}.example.com`))]).toEqual([url, record]);
    }
  });

  it('tries again what could not be resolved', async () => {
    const world = await sendingWorld({ [GOOD]: answers(200) });
    await world.subscribe(GOOD);
    world.names.set(GOOD, []);
    world.sender().start();
    await world.arrive(eventOf(1));
    await world.pass(1);
    expect(await world.states(GOOD)).toEqual([['retrying', 1, 'destination refused: unresolved_host']]);
    world.names.delete(GOOD);
    await world.pass(6);
    expect(await world.states(GOOD)).toEqual([['succeeded', 2, undefined]]);
  });

  it('asks the mirror for nothing while nobody is subscribed, and notices who subscribes at another server', async () => {
    const world = await sendingWorld({ [GOOD]: answers(200) });
    const asked: string[] = [];
    const told = new Proxy(world.outbox, {
      get(outbox, name, receiver) {
        asked.push(String(name));
        return Reflect.get(outbox, name, receiver);
      },
    });
    world.sender(told).start();
    await world.pass(2);
    expect(asked).toEqual(['subscriptions', 'forgetDeliveries']);
    await world.subscribe(GOOD);
    await world.pass(1);
    await world.arrive(eventOf(1));
    await world.pass(1);
    expect(world.sent.length).toBe(1);
    await world.outbox.removeSubscription(idOf(GOOD));
    await world.pass(1);
    asked.length = 0;
    await world.pass(2);
    expect(asked).toEqual([]);
  });
});

describe('destinations of every kind side by side', () => {
  const HEALTHY = ['one.example.com', 'two.example.com', 'three.example.com'];

  async function mixed() {
    const slow = { current: refusesConnections };
    const world = await sendingWorld({
      ...Object.fromEntries(HEALTHY.map((host) => [host, answers(200)])),
      'slow.example.com': (request, nth) => slow.current(request, nth),
      'busy.example.com': (_, nth) =>
        nth === 1
          ? { status: 429, headers: new Headers({ 'Retry-After': '90' }) }
          : { status: 200, headers: new Headers() },
      'gone.example.com': answers(410),
      'moved.example.com': answers(308, { Location: 'https://one.example.com/in' }),
    });
    slow.current = hangs(world.clock);
    const others = ['dead', 'slow', 'busy', 'gone', 'moved'].map((name) => `${name}.example.com`);
    for (const host of [...others, ...HEALTHY]) await world.subscribe(host);
    const sender = world.sender();
    sender.start();
    return { ...world, sender };
  }

  it('the healthy ones get everything at once, whatever the others do', async () => {
    const world = await mixed();
    await world.arrive(...events(20));
    await world.pass(0.5);
    for (const host of HEALTHY) {
      expect(await world.states(host)).toEqual(Array(20).fill(['succeeded', 1, undefined]));
      expect(world.times(host)).toEqual(Array(20).fill(0.25));
    }
    await world.pass(600);
    for (const host of HEALTHY) expect(world.times(host).length).toBe(20);
  });

  it('each of the others is dealt with by its own rule', async () => {
    const world = await mixed();
    await world.arrive(eventOf(1));
    await world.pass(120);
    expect(await world.states('dead.example.com')).toEqual([['retrying', 2, 'connection failed: ECONNREFUSED']]);
    expect(world.times('dead.example.com')).toEqual([0.25, 5.25]);
    expect(await world.states('slow.example.com')).toEqual([['retrying', 2, 'timeout']]);
    expect(world.times('slow.example.com')).toEqual([0.25, 20.25]);
    expect(await world.states('busy.example.com')).toEqual([['succeeded', 2, undefined]]);
    expect(world.times('busy.example.com')).toEqual([0.25, 90.25]);
    expect(await world.states('gone.example.com')).toEqual([['failed', 1, 'status 410']]);
    expect(await world.books('gone.example.com')).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
    expect(await world.states('moved.example.com')).toEqual([['failed', 1, 'status 308']]);
    expect(world.times('moved.example.com')).toEqual([0.25]);
  });

  it('a dead one is tried eight times over the ladder, then the delivery has failed', async () => {
    const world = await sendingWorld({});
    await world.subscribe('dead.example.com');
    world.sender().start();
    await world.arrive(eventOf(1));
    await world.pass(1);
    for (const wait of [5, 300, 1800, 7200, 18_000, 36_000, 36_000]) {
      world.clock.jump((wait - 3) * 1000);
      await world.pass(3);
    }
    expect(world.times('dead.example.com').map((time) => Math.round(time))).toEqual([
      0, 5, 305, 2105, 9305, 27_305, 63_305, 99_305,
    ]);
    expect(await world.states('dead.example.com')).toEqual([['failed', 8, 'connection failed: ECONNREFUSED']]);
    expect(await world.books('dead.example.com')).toMatchObject({ failures: 1, consecutiveFailures: 1 });
  });

  it('many deliveries to a dead one are tried one at a time, a second apart, until it answers', async () => {
    let isUp = false;
    const world = await sendingWorld({
      [GOOD]: async (request, nth) =>
        isUp ? { status: 200, headers: new Headers() } : refusesConnections(request, nth),
    });
    await world.subscribe(GOOD);
    world.sender().start();
    await world.arrive(...events(50));
    await world.pass(4.5);
    expect(world.times(GOOD)).toEqual([0.25, 0.25, 0.25, 0.25, 1.25, 2.25, 3.25, 4.25]);
    isUp = true;
    await world.pass(10);
    const done = (await world.states(GOOD)).filter(([status]) => status === 'succeeded').length;
    expect(done).toBe(50);
  });

  it('a subscription ends after ten failures, and what is open for it with it', async () => {
    const world = await sendingWorld({ [GOOD]: answers(400) });
    await world.subscribe(GOOD);
    const sender = world.sender();
    sender.start();
    await world.arrive(...events(12));
    await world.pass(2);
    expect(await world.books(GOOD)).toMatchObject({
      status: 'disabled',
      disabledReason: 'consecutive_failures',
      failures: 12,
    });
    const open = (await world.states(GOOD)).filter(([, , error]) => error === 'subscription disabled');
    expect(open.length).toBe(2);
    await world.arrive('usd_gdp_7');
    await world.pass(2);
    await world.outbox.changeSubscription(idOf(GOOD), { status: 'active' }, world.clock.now());
    const before = world.sent.length;
    sender.start();
    await world.arrive('usd_gdp_8');
    await world.pass(2);
    expect(world.sent.slice(before).map(({ event }) => event)).toEqual(['usd_gdp_8']);
  });
});

describe('what is owed outlives the sender', () => {
  it('a claim of one that died is taken up by the next one, with the same bytes', async () => {
    const world = await sendingWorld({
      [GOOD]: (_, nth) => (nth === 1 ? new Promise(() => {}) : answers(200)(_, nth)),
    });
    await world.subscribe(GOOD);
    world.sender().start();
    await world.arrive(EVENT_ID);
    await world.pass(1);
    expect(world.times(GOOD)).toEqual([0.25]);
    world.sender().start();
    await world.pass(29);
    expect(world.times(GOOD)).toEqual([0.25]);
    await world.pass(1);
    expect(world.times(GOOD)).toEqual([0.25, 30.25]);
    expect(new Set(world.sent.map(({ request }) => textOf(request.body))).size).toBe(1);
    expect(await world.states(GOOD)).toEqual([['succeeded', 1, undefined]]);
  });

  it('the schedule of retries is that of before', async () => {
    const world = await sendingWorld({ [GOOD]: answers(503) });
    await world.subscribe(GOOD);
    const first = world.sender();
    first.start();
    await world.arrive(EVENT_ID);
    await world.pass(6);
    const closing = first.close();
    await world.pass(4);
    await closing;
    world.sender().start();
    await world.pass(300);
    expect(world.times(GOOD)).toEqual([0.25, 5.25, 305.25]);
  });

  it('one that is closed gives back what is under way', async () => {
    const world = await sendingWorld({});
    const hanging = await sendingWorld({ [GOOD]: (request, nth) => hangs(world.clock)(request, nth) });
    await hanging.subscribe(GOOD);
    const sender = hanging.sender();
    sender.start();
    await hanging.arrive(EVENT_ID);
    await hanging.pass(1);
    const closing = sender.close();
    await hanging.pass(6);
    await closing;
    expect(await hanging.states(GOOD)).toEqual([['pending', 0, undefined]]);
    hanging.sender().start();
    await settle();
    expect(hanging.sent.length).toBe(2);
    expect(hanging.told).toEqual([]);
  });

  it('one that is closed gives back what it is just claiming, and posts nothing of it', async () => {
    const world = await sendingWorld({ [GOOD]: answers(200) });
    await world.subscribe(GOOD);
    await world.arrive(...events(5));
    const claims = { count: 0, gate: Promise.withResolvers<void>() };
    const claim: typeof world.outbox.claim = async (asked) => {
      claims.count += 1;
      const claimed = await world.outbox.claim(asked);
      if (claims.count > 1) await claims.gate.promise;
      return claimed;
    };
    const sender = world.sender({ ...world.outbox, claim });
    sender.start();
    while (claims.count < 2) await settle();
    const closing = sender.close();
    await settle();
    claims.gate.resolve();
    await closing;
    expect(world.sent.length).toBe(4);
    world.sender().start();
    await world.pass(1);
    expect(world.sent.length).toBe(5);
  });

  it('what came while nobody was there is sent by the next one', async () => {
    const world = await sendingWorld({ [GOOD]: answers(200) });
    await world.subscribe(GOOD);
    await world.arrive(...events(600));
    world.sender().start();
    await world.pass(1);
    expect(new Set(world.sent.map(({ event }) => event)).size).toBe(600);
    expect(world.sent.length).toBe(600);
  });

  it('two senders on one mirror send nothing twice', async () => {
    const world = await sendingWorld({ [GOOD]: answers(200) });
    await world.subscribe(GOOD);
    world.sender().start();
    world.sender().start();
    await world.arrive(...events(20));
    await world.pass(2);
    expect(world.sent.length).toBe(20);
  });

  it.each(['settle', 'enqueue', 'due'] as const)('a mirror that is locked at %s is waited for', async (operation) => {
    const world = await sendingWorld({ [GOOD]: answers(200) });
    await world.subscribe(GOOD);
    world.sender(lockedFor(world.outbox, operation, 3)).start();
    await world.arrive(EVENT_ID);
    await world.pass(3);
    expect(world.sent.length).toBe(1);
    expect(await world.states(GOOD)).toEqual([['succeeded', 1, undefined]]);
    const trouble = 'webhooks wait: The mirror is locked by another program.';
    expect(world.told).toEqual(operation === 'settle' ? [] : [trouble]);
  });

  it('deliveries are forgotten after thirty days', async () => {
    const world = await sendingWorld({ [GOOD]: answers(200) });
    await world.subscribe(GOOD);
    world.sender().start();
    await world.arrive(EVENT_ID);
    await world.pass(1);
    expect((await world.states(GOOD)).length).toBe(1);
    world.clock.jump(30 * 86_400_000);
    await world.pass(2);
    expect(world.clock.now() - NOW).toBe(30 * 86_400_000 + 3000);
    expect(await world.states(GOOD)).toEqual([]);
  });
});
