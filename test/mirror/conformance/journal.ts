import { expect, it } from 'vitest';
import { asJsonText } from '../../../src/contract/json/json.ts';
import type { Via } from '../../../src/mirror/api/journal.ts';
import type { Mirror } from '../../../src/mirror/api/mirror.ts';
import type { NewRow } from '../../../src/mirror/api/page-commit.ts';
import { held, MIDNIGHT, page, row, SERVICE, texts } from '../support.ts';

const FEED = { origin: SERVICE, endpoint: 'announcements_changes', scope: {} };
const SERIES = { origin: SERVICE, endpoint: 'announcements', scope: { currency: 'USD', indicator: 'inflation' } };
const OTHER = { ...FEED, origin: 'https://other.example.test' };

const event = (id: string, timestamp: number) => {
  const [currency, ...rest] = id.split('_');
  const release = Number(rest.pop());
  return `{"event_id":"${id}","currency":"${currency}","indicator":"${rest.join('_')}","timestamp":${timestamp},"release_timestamp":${release}}`;
};
const INFLATION = event('usd_inflation_1791981000', 1_791_981_002);
const GDP = event('usd_gdp_1791982000', 1_791_982_002);
const RATE = event('eur_policy_rate_1791983000', 1_791_983_002);

/** The journal of release events: what a mirror of any engine says of it. */
export function journalOf(open: () => Promise<Mirror>): void {
  const arrive = (mirror: Mirror, rows: readonly (string | NewRow)[], via: Via, changes = {}) =>
    mirror.commitPage(page(rows, { series: FEED, arrived: { via }, ...changes }));
  const idsAfter = async (mirror: Mirror, ask = {}) =>
    (await mirror.journal.events({ after: 0, limit: 10, ...ask })).map(({ id }) => id);

  it('an event that comes by several ways stands in it once, with the first arrival by each', async () => {
    const mirror = await open();
    expect(await arrive(mirror, [INFLATION], 'webhook')).toMatchObject({ arrived: [1] });
    expect(await arrive(mirror, [INFLATION], 'stream', { at: MIDNIGHT + 5 })).toMatchObject({ arrived: [undefined] });
    expect(await arrive(mirror, [INFLATION], 'webhook', { at: MIDNIGHT + 9 })).toMatchObject({ arrived: [undefined] });
    const kept = {
      position: 1,
      origin: SERVICE,
      id: 'usd_inflation_1791981000',
      timestamp: 1_791_981_002,
      currency: 'usd',
      indicator: 'inflation',
      release: 1_791_981_000,
      text: INFLATION,
      arrivals: [
        { via: 'webhook', at: MIDNIGHT },
        { via: 'stream', at: MIDNIGHT + 5 },
      ],
    };
    expect(await mirror.journal.events({ after: 0, limit: 10 })).toEqual([kept]);
    expect(await mirror.journal.event('usd_inflation_1791981000')).toEqual(kept);
    expect(await mirror.journal.event('usd_gdp_1')).toBeUndefined();
  });

  it('what comes by itself leaves the row of a known event as it is, and makes nothing due again', async () => {
    const mirror = await open();
    const other = INFLATION.replace('1791981002', '1791981003');
    await mirror.commitPage(page(['{"date":"2026-09-30","val":3.2}'], { series: SERIES, follows: { checked: true } }));
    const due = async () => (await mirror.follows('announcements', 'key:1')).map((follow) => follow.due);
    const names = [{ endpoint: 'announcements', scope: SERIES.scope, due: '2026-09-30' }];
    await arrive(mirror, [INFLATION], 'changes');
    expect(await arrive(mirror, [row(other, { names }), row(GDP)], 'webhook')).toMatchObject({
      arrived: [undefined, 2],
    });
    expect([await texts(mirror, FEED), await due()]).toEqual([[INFLATION, GDP], [undefined]]);
    await arrive(mirror, [row(RATE, { names })], 'webhook');
    expect(await due()).toEqual(['2026-09-30']);
  });

  it('an event that was sent with another time is one row of changes, as the feed tells it', async () => {
    const mirror = await open();
    const sent = INFLATION.replace('1791981002', '1791981003');
    await arrive(mirror, [sent, GDP], 'webhook');
    await arrive(mirror, [INFLATION, GDP], 'changes', { walk: null });
    expect(await texts(mirror, FEED)).toEqual([INFLATION, GDP]);
    await arrive(mirror, [INFLATION, GDP], 'changes', { walk: null });
    await arrive(mirror, [sent], 'stream');
    expect([await texts(mirror, FEED), await mirror.journal.newest()]).toEqual([[INFLATION, GDP], 2]);
  });

  it('a series of changes that begins with an event that came by itself was never checked, until it is polled', async () => {
    const mirror = await open();
    await arrive(mirror, [INFLATION], 'webhook');
    expect((await held(mirror, FEED)).checkedAt).toBe(0);
    await arrive(mirror, [GDP], 'changes', { walk: null, at: MIDNIGHT + 5 });
    expect((await held(mirror, FEED)).checkedAt).toBe(MIDNIGHT + 5);
  });

  it('the event is a row of changes as well, in the same commit', async () => {
    const mirror = await open();
    await arrive(mirror, [GDP, INFLATION], 'changes');
    expect(await texts(mirror, FEED)).toEqual([INFLATION, GDP]);
  });

  it('of a page of many events, some known and some twice, each new one has the next position', async () => {
    const mirror = await open();
    const many = Array.from({ length: 63 }, (_, i) => event(`usd_gdp_${1_791_982_000 + i}`, 1_791_982_002 + i));
    const at = (i: number) => many[i] ?? '';
    await arrive(mirror, [at(40), at(3)], 'stream');
    // Both are known, at 1 and 2, and the first one comes twice.
    const told = many.map((_, i) => (i === 40 || i === 3 ? undefined : i + 3 - Number(i > 3) - Number(i > 40)));
    const { arrived } = await arrive(mirror, [at(0), ...many], 'webhook', { at: MIDNIGHT + 5 });
    expect(arrived).toEqual([3, undefined, ...told.slice(1)]);
    const events = await mirror.journal.events({ after: 0, limit: 100 });
    const others = many.filter((_, i) => i !== 40 && i !== 3);
    expect(events.map(({ position, text }) => [position, text])).toEqual(
      [at(40), at(3), ...others].map((text, i) => [i + 1, text]),
    );
    const byWebhook = { via: 'webhook', at: MIDNIGHT + 5 };
    const both = [{ via: 'stream', at: MIDNIGHT }, byWebhook];
    expect(events.map(({ arrivals }) => arrivals.toSorted((a, b) => a.at - b.at))).toEqual([
      both,
      both,
      ...others.map(() => [byWebhook]),
    ]);
    expect(await texts(mirror, FEED)).toEqual(many);
  });

  it('an id that is no whole text is known by what is stored of it', async () => {
    const mirror = await open();
    const broken = GDP.replace('usd_gdp_', 'usd_\\ud800_');
    const value = JSON.parse(broken);
    expect(await arrive(mirror, [{ text: asJsonText(broken), value }], 'webhook')).toMatchObject({ arrived: [1] });
    expect(await arrive(mirror, [{ text: asJsonText(broken), value }], 'stream')).toMatchObject({
      arrived: [undefined],
    });
  });

  it('a page that brings no events says nothing of the journal', async () => {
    const mirror = await open();
    expect(await mirror.commitPage(page([INFLATION], { series: FEED }))).not.toHaveProperty('arrived');
    expect(await mirror.journal.newest()).toBe(0);
  });

  it('events are read in the order in which they came, from a position on, filtered and cut', async () => {
    const mirror = await open();
    await arrive(mirror, [GDP], 'stream');
    await arrive(mirror, [INFLATION, RATE], 'stream');
    expect(await idsAfter(mirror)).toEqual([
      'usd_gdp_1791982000',
      'usd_inflation_1791981000',
      'eur_policy_rate_1791983000',
    ]);
    expect(await idsAfter(mirror, { after: 1, limit: 1 })).toEqual(['usd_inflation_1791981000']);
    expect(await idsAfter(mirror, { currencies: ['eur', 'gbp'] })).toEqual(['eur_policy_rate_1791983000']);
    expect(await idsAfter(mirror, { currencies: ['usd'], indicators: ['gdp'] })).toEqual(['usd_gdp_1791982000']);
    expect(await idsAfter(mirror, { currencies: [] })).toEqual([]);
    expect(await mirror.journal.newest()).toBe(3);
  });

  it('what events are about stands once for each series of each origin, with the last event of each', async () => {
    const mirror = await open();
    const later = INFLATION.replaceAll('1791981000', '1794573000');
    await arrive(mirror, [INFLATION], 'stream');
    await arrive(mirror, [GDP, later], 'stream');
    await arrive(mirror, [GDP], 'local', { series: { ...OTHER, origin: 'import:desk' } });
    const inflation = { origin: SERVICE, currency: 'usd', indicator: 'inflation', position: 3 };
    const gdp = { origin: SERVICE, currency: 'usd', indicator: 'gdp', position: 2 };
    const imported = { ...gdp, origin: 'import:desk', position: 4 };
    expect(await mirror.journal.subjects(0)).toEqual([gdp, inflation, imported]);
    expect(await mirror.journal.subjects(2)).toEqual([inflation, imported]);
    expect(await mirror.journal.subjects(4)).toEqual([]);
  });

  it('the same id of another origin is another event', async () => {
    const mirror = await open();
    await arrive(mirror, [INFLATION], 'stream');
    await arrive(mirror, [INFLATION], 'local', { series: { ...OTHER, origin: 'import:desk' } });
    const events = await mirror.journal.events({ after: 0, limit: 10 });
    expect(events.map(({ position, origin }) => [position, origin])).toEqual([
      [1, SERVICE],
      [2, 'import:desk'],
    ]);
  });

  it('a consumer does not move to an event that was taken back', async () => {
    const mirror = await open();
    await arrive(mirror, [INFLATION, GDP], 'stream');
    const [, last] = await mirror.journal.events({ after: 0, limit: 2 });
    const position = async () => (await mirror.journal.consumer('desk'))?.position;
    await mirror.journal.moveConsumer('desk', 1, MIDNIGHT);
    await mirror.journal.moveConsumer('desk', 2, MIDNIGHT, 'usd_gdp_of_another_history');
    await mirror.journal.moveConsumer('desk', 9, MIDNIGHT, last?.id);
    expect(await position()).toBe(1);
    await mirror.journal.moveConsumer('desk', 2, MIDNIGHT, last?.id);
    expect(await position()).toBe(2);
  });

  it('a consumer moves forward and never back', async () => {
    const { journal } = await open();
    expect(await journal.consumer('desk')).toBeUndefined();
    await journal.moveConsumer('desk', 4, MIDNIGHT);
    await journal.moveConsumer('desk', 2, MIDNIGHT + 1);
    await journal.moveConsumer('alerts', 0, MIDNIGHT + 2);
    expect(await journal.consumer('desk')).toEqual({ name: 'desk', position: 4, movedAt: MIDNIGHT });
    expect((await journal.consumers()).map(({ name }) => name)).toEqual(['alerts', 'desk']);
  });

  it('a failure is counted until it is forgotten', async () => {
    const { journal } = await open();
    const failure = { consumer: 'desk', position: 3, error: 'exit 1', failedAt: MIDNIGHT, nextAt: MIDNIGHT + 500 };
    expect(await journal.noteFailure(failure)).toEqual({ ...failure, attempts: 1 });
    const last = { ...failure, error: 'exit 2', failedAt: MIDNIGHT + 500, nextAt: undefined };
    await journal.noteFailure(last);
    await journal.noteFailure({ ...failure, consumer: 'alerts', position: 2 });
    expect(await journal.failures('desk')).toEqual([{ ...last, attempts: 2 }]);
    expect((await journal.failures()).map(({ consumer }) => consumer)).toEqual(['alerts', 'desk']);
    await journal.forgetFailure('desk', 3);
    expect(await journal.failures('desk')).toEqual([]);
  });

  it('a forgotten consumer is gone with its failures, and another one stays', async () => {
    const { journal } = await open();
    const failure = { position: 3, error: 'exit 1', failedAt: MIDNIGHT, nextAt: undefined };
    for (const consumer of ['desk', 'alerts']) {
      await journal.moveConsumer(consumer, 4, MIDNIGHT);
      await journal.noteFailure({ ...failure, consumer });
    }
    await journal.forgetConsumer('desk');
    expect(await journal.consumers()).toEqual([{ name: 'alerts', position: 4, movedAt: MIDNIGHT }]);
    expect(await journal.failures()).toEqual([{ ...failure, consumer: 'alerts', attempts: 1 }]);
  });

  it('a hole that several ways report is one hole, as wide as the widest report', async () => {
    const { journal } = await open();
    const missingRange = {
      origin: SERVICE,
      from: 100,
      to: 200,
      reason: 'retention',
      via: 'changes',
      notedAt: MIDNIGHT,
    } as const;
    const id = await journal.noteGap(missingRange);
    expect(await journal.noteGap({ ...missingRange, from: 150, to: 300, via: 'stream' })).toBe(id);
    expect(await journal.noteGap({ ...missingRange, from: 400, to: 500 })).not.toBe(id);
    expect(await journal.noteGap({ ...missingRange, origin: 'https://other.example.test' })).not.toBe(id);
    const [, , first] = await journal.gaps(10);
    expect(first).toEqual({ ...missingRange, id, to: 300, closedAt: undefined });
    await journal.closeGap(id, MIDNIGHT + 7);
    await journal.closeGap(id, MIDNIGHT + 9);
    expect((await journal.gaps(10)).find((gap) => gap.id === id)?.closedAt).toBe(MIDNIGHT + 7);
    expect(await journal.noteGap(missingRange)).not.toBe(id);
  });

  it('a hole of which nobody knows the beginning takes in what lies before its end', async () => {
    const { journal } = await open();
    const missingRange = {
      origin: SERVICE,
      from: undefined,
      to: 200,
      reason: 'unknown id',
      via: 'stream',
      notedAt: MIDNIGHT,
    } as const;
    const id = await journal.noteGap(missingRange);
    expect(await journal.noteGap({ ...missingRange, from: 50, to: 250 })).toBe(id);
    expect(await journal.gaps(1)).toEqual([{ ...missingRange, id, to: 250, closedAt: undefined }]);
  });

  it('a gap whose end was not known and is known now is one gap', async () => {
    const { journal } = await open();
    const noted = { origin: SERVICE, via: 'changes', notedAt: MIDNIGHT } as const;
    const id = await journal.noteGap({ ...noted, reason: 'not connected', from: 150, to: undefined });
    expect(await journal.noteGap({ ...noted, reason: 'retention', from: 150, to: 200 })).toBe(id);
    expect(await journal.gaps(10)).toEqual([
      { ...noted, id, reason: 'retention', from: 150, to: 200, closedAt: undefined },
    ]);
  });

  it('what is lost stays so beside a hole that may still be filled', async () => {
    const { journal } = await open();
    const noted = { origin: SERVICE, reason: 'retention', via: 'changes', notedAt: MIDNIGHT } as const;
    const lost = await journal.noteGap({ ...noted, from: undefined, to: 200 });
    const owed = await journal.noteGap({ ...noted, from: 150, to: undefined });
    expect(await journal.noteGap({ ...noted, from: 300, to: undefined })).toBe(owed);
    await journal.closeGap(owed, MIDNIGHT + 7);
    expect(await journal.gaps(10)).toEqual([
      { ...noted, id: owed, from: 150, to: undefined, closedAt: MIDNIGHT + 7 },
      { ...noted, id: lost, from: undefined, to: 200, closedAt: undefined },
    ]);
  });
}
