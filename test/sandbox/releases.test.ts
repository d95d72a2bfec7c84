import { describe, expect, it } from 'vitest';
import { asJsonText, objectIn, parseObject } from '../../src/contract/json/json.ts';
import type { Mirror } from '../../src/mirror/api/mirror.ts';
import { createReleases } from '../../src/sandbox/days.ts';
import { fillSandbox, isFilled } from '../../src/sandbox/fill.ts';
import { createWorld } from '../../src/sandbox/world.ts';
import { testPlatform } from '../support/platform.ts';
import { ownSandbox } from '../support/service.ts';

const at = (text: string) => Date.parse(text);
const TUESDAY = at('2026-11-24T00:00:00Z');
const WEDNESDAY = at('2026-11-25T00:00:00Z');
const CHANGES = 'announcements_changes';

const filled = (now: number) => ownSandbox(testPlatform({ now }).platform, 1);

const releasesOf = (mirror: Mirror, now: number) =>
  createReleases(mirror, createWorld({ seed: 1, now, size: 'small' }));

/** The rows of every series of an endpoint, by its scope. */
async function rowsOf(mirror: Mirror, endpoint: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const all: Record<string, readonly string[]> = {};
  for (const series of await mirror.find({ endpoint, scope: {} }))
    all[JSON.stringify(series.scope)] = (await mirror.rows(series, {})).map(({ text }) => text);
  return all;
}

/** The events of a day's releases. */
async function eventsOn(mirror: Mirror, from: number): Promise<readonly string[]> {
  const { '{}': events = [] } = await rowsOf(mirror, CHANGES);
  return events.filter((text) => Number(parseObject(text).release_timestamp) * 1000 >= from);
}

describe('the schedule of the sandbox', () => {
  it('that was released until midnight, once, is the data set of the next day', async () => {
    const [released, next] = [await filled(TUESDAY), await filled(WEDNESDAY)];
    expect(await eventsOn(released, TUESDAY)).toEqual([]);
    await releasesOf(released, TUESDAY).upTo(WEDNESDAY);
    const events = await eventsOn(next, TUESDAY);
    expect(events.length).toBeGreaterThan(10);
    expect(await eventsOn(released, TUESDAY)).toEqual(events);
    expect(await rowsOf(released, 'announcements')).toEqual(await rowsOf(next, 'announcements'));
    const journal = await released.journal.events({ after: 0, limit: 100 });
    expect(journal.map(({ text }) => text)).toEqual(events);
    expect(new Set(journal.flatMap(({ arrivals }) => arrivals.map(({ via }) => via)))).toEqual(new Set(['local']));

    // Once, however often a server begins the day.
    const state = async () => [
      await released.journal.newest(),
      await rowsOf(released, CHANGES),
      await rowsOf(released, 'announcements'),
    ];
    const before = await state();
    await releasesOf(released, TUESDAY).upTo(WEDNESDAY);
    expect(await state()).toEqual(before);
  });

  it('comes release by release, each when it is processed and not before', async () => {
    const mirror = await filled(WEDNESDAY);
    const releases = releasesOf(mirror, WEDNESDAY);
    const first = await releases.upTo(WEDNESDAY);
    expect(await mirror.journal.newest()).toBe(0);
    expect(await releases.upTo(first - 1)).toBe(first);
    expect(await mirror.journal.newest()).toBe(0);
    expect(await releases.upTo(first)).toBeGreaterThan(first);
    const [event] = await mirror.journal.events({ after: 0, limit: 9 });
    expect((event?.timestamp ?? 0) * 1000).toBe(first);
  });

  it('is in the catalogue as it is in the announcements, at every hour of a day', async () => {
    const mirror = await filled(TUESDAY);
    const releases = releasesOf(mirror, TUESDAY);
    for (let hour = 1; hour < 24; hour += 1) {
      await releases.upTo(TUESDAY + hour * 3_600_000);
      const listed: Record<string, unknown> = {};
      for (const { scope, ...series } of await mirror.find({ endpoint: 'data_catalogue', scope: {} }))
        for (const { key, text } of await mirror.rows({ scope, ...series }, {})) {
          const { row_count, latest_available_date } = objectIn(parseObject(text).coverage);
          listed[`${scope.currency} ${key[0]}`] = { row_count, latest_available_date };
        }
      const announced: Record<string, unknown> = {};
      for (const [scope, rows] of Object.entries(await rowsOf(mirror, 'announcements'))) {
        const { currency, indicator } = parseObject(asJsonText(scope));
        const newest = parseObject(asJsonText(rows[0] ?? ''));
        announced[`${currency} ${indicator}`] = { row_count: rows.length, latest_available_date: newest.date };
      }
      expect(listed).toEqual(announced);
    }
    expect(await mirror.verify()).toMatchObject({ findings: [] });
  });

  it('begins again when the clock is set back, with nothing of what was released later', async () => {
    const mirror = await filled(TUESDAY);
    const morning = at('2026-11-24T08:00:00Z');
    await releasesOf(mirror, TUESDAY).upTo(WEDNESDAY);
    const evening = await eventsOn(mirror, TUESDAY);
    const sandbox = { mirror, seed: 1, size: 'small' } as const;
    expect(await isFilled({ ...sandbox, now: WEDNESDAY - 1 })).toBe(true);
    expect(await isFilled({ ...sandbox, now: morning })).toBe(false);
    await fillSandbox({ ...sandbox, now: morning });
    expect(await eventsOn(mirror, TUESDAY)).toEqual([]);
    await releasesOf(mirror, morning).upTo(morning);
    expect(await isFilled({ ...sandbox, now: morning })).toBe(true);
    await releasesOf(mirror, morning).upTo(WEDNESDAY);
    expect(await eventsOn(mirror, TUESDAY)).toEqual(evening);
  });
});
