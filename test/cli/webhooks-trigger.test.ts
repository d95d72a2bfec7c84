import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { GENERATED_ACCESS } from '../../src/mirror/rules/coverage.ts';
import { rangesAfterEvents } from '../../src/source/newer-events.ts';
import { page } from '../mirror/support.ts';
import { inMirror } from '../support/in-mirror.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

/** 2026-11-22T09:00:00Z */
const NOW = 1_795_338_000;
const HISTORY = { origin: 'sandbox', endpoint: 'announcements', scope: { currency: 'USD', indicator: 'inflation' } };
const ROWS = ['{"date":"2026-10-31","val":3.1}', '{"date":"2026-09-30","val":2.9}'];

const eventOf = (release: number, val: string, at: string) =>
  `{"event_id":"usd_inflation_${release}","currency":"usd","indicator":"inflation","records_written":1,"timestamp":${release},"release_timestamp":${release},"latest_announcement":{"date":"2026-10-31","val":${val},"announcement_datetime":"${at}"}}`;

/** A machine whose mirror at `path` holds a history of this nature. */
async function world(nature: 'real' | 'synthetic') {
  const machine = testPlatform({ now: NOW * 1000 });
  const path = join(machine.folder, 'other.db');
  const within = <T>(work: (mirror: Mirror) => Promise<T>) =>
    inMirror({ path, platform: machine.platform, mode: 'write' }, work);
  await within((mirror) => mirror.commitPage(page(ROWS, { series: HISTORY, nature, extent: 'listed' })));
  const trigger = (words: string) => macro(`webhooks trigger ${words} --mirror ${path}`, machine);
  const events = () => within(({ journal }) => journal.events({ after: 0, limit: 9 }));
  return { trigger, events, within };
}

describe('macro webhooks trigger', () => {
  it('makes up a release of the newest period that is in the journal and in changes under one id, and says so', async () => {
    const { trigger, events, within } = await world('synthetic');
    const text = eventOf(NOW, '3.0', '2026-11-22T09:00:00Z');
    const { code, out, err } = await trigger('usd inflation --val 3 --format json');
    expect([code, out]).toEqual([0, `{"data":[${text}]}\n`]);
    expect(err).toContain('made up');
    expect(await events()).toMatchObject([{ origin: 'sandbox', text, arrivals: [{ via: 'local', at: NOW * 1000 }] }]);
    const changes = await within(async (mirror) => {
      const [series] = await mirror.find({ endpoint: 'announcements_changes', scope: {} });
      return series ? (await mirror.rows(series, {})).map((row) => row.text) : [];
    });
    expect(changes).toEqual([text]);
  });

  it('makes the value that of the newest row of its series', async () => {
    const { trigger, within } = await world('synthetic');
    await trigger('usd inflation --val 3.4');
    const rows = await within(async (mirror) => {
      const [series] = await mirror.find(HISTORY);
      return series ? (await mirror.rows(series, {})).map((row) => row.text) : [];
    });
    expect(rows).toEqual(['{"date":"2026-10-31","val":3.4}', ROWS[1]]);
  });

  it('drops the changes that the old value had, so that the new one is compared', async () => {
    const { trigger, within } = await world('synthetic');
    const compared = [
      '{"date":"2026-10-31","val":3.1,"previous_value":2.9,"change_from_previous":0.2,"val_mom":0.1,"unit":"%YoY"}',
      ROWS[1] ?? '',
    ];
    await within((mirror) =>
      mirror.commitPage(page(compared, { series: HISTORY, nature: 'synthetic', extent: 'listed' })),
    );
    await trigger('usd inflation --val 3.4');
    const rows = await within(async (mirror) => {
      const [series] = await mirror.find(HISTORY);
      return series ? (await mirror.rows(series, {})).map((row) => row.text) : [];
    });
    expect(rows).toEqual(['{"date":"2026-10-31","val":3.4,"unit":"%YoY"}', ROWS[1]]);
  });

  it('leaves its series covered, however often', async () => {
    const { trigger, within } = await world('synthetic');
    const covered = { from: '2026-09-01', to: '2026-11-22', rows: 2 };
    await within((mirror) =>
      mirror.commitPage(
        page(ROWS, { series: HISTORY, nature: 'synthetic', extent: 'listed', access: GENERATED_ACCESS, covered }),
      ),
    );
    for (const val of [3.2, 3.3, 3.4]) await trigger(`usd inflation --val ${val}`);
    const missing = await within(async (mirror) => {
      const [series] = await mirror.find(HISTORY);
      const ask = { reader: mirror, access: 'keyless', cutoff: undefined, asOf: undefined } as const;
      return series ? (await rangesAfterEvents(series, ask)).map(({ from, to }) => ({ from, to })) : [];
    });
    expect(missing).toEqual([{ from: '2026-09-01', to: '2026-11-22' }]);
  });

  it('takes the held value when none is said, and another second when the id is taken', async () => {
    const { trigger, events } = await world('synthetic');
    await trigger('usd inflation');
    await trigger('usd inflation');
    expect((await events()).map(({ text }) => text)).toEqual([
      eventOf(NOW, '3.1', '2026-11-22T09:00:00Z'),
      eventOf(NOW + 1, '3.1', '2026-11-22T09:00:01Z'),
    ]);
  });

  it('refuses a mirror of real data, and writes nothing into it', async () => {
    const { trigger, events } = await world('real');
    expect(await trigger('usd inflation')).toMatchObject({ code: 8, err: expect.stringContaining('has real data') });
    expect(await events()).toEqual([]);
  });

  it.each([
    ['usd', 2, 'takes a currency and an indicator'],
    ['usd inflatoin', 2, 'Did you mean inflation?'],
    ['usd inflation --val much', 2, "'much' is no number"],
  ])('refuses %s with exit %d', async (words, code, message) => {
    const { trigger } = await world('synthetic');
    expect(await trigger(words)).toMatchObject({ code, err: expect.stringContaining(message) });
  });

  it('makes no mirror of its own', async () => {
    expect(await macro('webhooks trigger usd inflation')).toMatchObject({
      code: 3,
      err: expect.stringContaining('macro serve --sandbox makes one'),
    });
  });
});
