import { describe, expect, it } from 'vitest';
import type { MissingPart } from '../../../src/contract/hooks.ts';
import { asJsonText } from '../../../src/contract/json/json.ts';
import type { PartialAnswer } from '../../../src/coverage/partial-answer.ts';
import { markedBody, mirrorIncomplete, missingTexts } from '../../../src/coverage/partial-mark.ts';
import { partialOf } from '../../../src/source/read-coverage.ts';
import { DAY_MS, NOW, SECOND } from './moment.ts';
import { endpointOf, said } from './stored.ts';

const SPRING = { from: '2026-03-01', to: '2026-05-31' };
const DAY = 86_400;
const fx = (quote: string): MissingPart['series'] => ({ endpoint: 'forex', scope: { base: 'EUR', quote } });
const calendar: MissingPart['series'] = { endpoint: 'calendar', scope: { currency: 'USD' } };

/** What an answer of an endpoint misses that was looked at an hour ago. */
const partial = (id: string, missingParts: readonly MissingPart[], more: object = {}) =>
  partialOf({ endpoint: endpointOf(id), args: {} }, missingParts, { checkedAt: NOW - 3_600_001, now: NOW, ...more });

describe('what an answer lacks', () => {
  it('is nothing where nothing is lacking', () => {
    expect(partial('forex', [])).toBeUndefined();
  });

  it('is told by ranges alone where the answer is of one series, its own', () => {
    const missingParts = [{ series: fx('USD'), range: SPRING }];
    expect(partial('forex', missingParts)).toEqual({
      mark: { complete: false, missing: [SPRING], checked_at: '2026-11-21T04:46:12Z' },
      missingParts,
      cures: ['macro sync fx eur usd'],
      holder: 'mirror',
    });
  });

  it('is told with the words of each series where there are several, or others', () => {
    const [usd, jpy] = [
      { series: fx('USD'), range: SPRING },
      { series: fx('JPY'), range: SPRING },
    ];
    expect(partial('forex', [usd, jpy])).toMatchObject({
      mark: {
        missing: [
          { ...SPRING, series: 'fx eur usd' },
          { ...SPRING, series: 'fx eur jpy' },
        ],
      },
      cures: ['macro sync fx eur usd, fx eur jpy'],
    });
    expect(partial('fx_sources', [usd])?.mark.missing).toEqual([{ ...SPRING, series: 'fx eur usd' }]);
  });

  it('is named as a whole where no range of it can be told', () => {
    expect(partial('forex', [{ series: fx('USD') }, { series: fx('USD'), range: SPRING }])?.mark.missing).toEqual([
      { series: 'fx eur usd' },
      SPRING,
    ]);
  });

  it('is named by its id and scope where no command has it', () => {
    const scope = { currency: 'USD', form: 'Long' };
    expect(partial('forex', [{ series: { endpoint: 'of_another_version', scope } }])).toMatchObject({
      mark: { missing: [{ series: 'of_another_version usd long' }] },
      cures: ['macro sync of_another_version usd long'],
    });
  });

  it('is told as ISO texts where the interface spells instants so, else as it is', () => {
    const range = { from: SECOND, to: SECOND + 60 };
    const fixings = { endpoint: 'fx_intraday_reference_rates', scope: { base: 'EUR', quote: 'USD' } };
    expect(partial('fx_intraday_reference_rates', [{ series: fixings, range }])?.mark.missing).toEqual([
      { from: '2026-11-21T05:46:13Z', to: '2026-11-21T05:47:13Z' },
    ]);
    const unchecked = { from: '2026-11-21T05:00:00Z', to: '2026-11-21T05:01:00Z' };
    const missingPart: MissingPart = { series: fixings, range: unchecked, reason: 'unchecked' };
    expect(partial('fx_intraday_reference_rates', [missingPart])?.mark.missing).toEqual([unchecked]);
    expect(partial('calendar', [{ series: calendar, range }])?.mark.missing).toEqual([range]);
  });

  it('names each part and each command once', () => {
    const one: MissingPart = { series: fx('USD'), range: SPRING };
    expect(partial('forex', [one, { ...one }])).toMatchObject({
      mark: { missing: [SPRING] },
      cures: ['macro sync fx eur usd'],
    });
  });

  it('lists a hundred parts, and says that there are more', () => {
    const missingParts = (count: number): MissingPart[] =>
      Array.from({ length: count }, (_, i) => ({ series: fx('USD'), range: { from: 2 * i, to: 2 * i } }));
    const mark = (count: number) => partial('forex', missingParts(count))?.mark;
    expect([mark(100)?.missing.length, mark(100)?.truncated]).toEqual([100, undefined]);
    expect([mark(101)?.missing.length, mark(101)?.missing.at(-1), mark(101)?.truncated]).toEqual([
      100,
      { from: 198, to: 198 },
      true,
    ]);
  });

  it('says no time of a look where there was none', () => {
    const missingParts = [{ series: fx('USD'), range: SPRING }];
    expect(partial('forex', missingParts, { checkedAt: 0 })?.mark).toEqual({ complete: false, missing: [SPRING] });
    expect(partial('forex', missingParts, { checkedAt: 1 })?.mark.checked_at).toBe('1970-01-01T00:00:00Z');
  });
});

describe('what brings the missing parts', () => {
  const cures = (missingParts: readonly MissingPart[], more: object = {}) =>
    partial('calendar', missingParts, more)?.cures;

  it('of a schedule is a sync for what lies ahead, and a question for what is over', () => {
    const ahead = { series: calendar, range: { from: SECOND, to: SECOND + 9 } };
    const past = { series: calendar, range: { from: SECOND - 2 * DAY, to: SECOND - DAY } };
    expect(cures([ahead])).toEqual(['macro sync calendar usd']);
    // One millisecond later its first second is over.
    expect(cures([ahead], { now: NOW + 1 })).toEqual(['macro calendar usd --start 2026-11-21 --end 2026-11-21 --live']);
    expect(cures([past, { ...past }])).toEqual(['macro calendar usd --start 2026-11-19 --end 2026-11-20 --live']);
    expect(cures([past, ahead, { series: fx('USD'), range: SPRING }])).toEqual([
      'macro sync calendar usd, fx eur usd',
      'macro calendar usd --start 2026-11-19 --end 2026-11-20 --live',
    ]);
  });

  it('of a schedule to its end names no end', () => {
    const to = 253_402_300_799;
    expect(cures([{ series: calendar, range: { from: SECOND - DAY, to } }])).toEqual([
      'macro calendar usd --start 2026-11-20 --live',
    ]);
    expect(cures([{ series: calendar, range: { from: SECOND - DAY, to: to - 1 } }])).toEqual([
      'macro calendar usd --start 2026-11-20 --end 9999-12-31 --live',
    ]);
  });

  it('of a schedule that is lacking whole, or that nobody looked at, is a sync', () => {
    expect(cures([{ series: calendar }])).toEqual(['macro sync calendar usd']);
    const range = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' };
    expect(cures([{ series: calendar, range, reason: 'unchecked' }])).toEqual(['macro sync calendar usd']);
  });

  it('of a feed is nothing for events that the service keeps no more', () => {
    const feed: MissingPart['series'] = { endpoint: 'announcements_changes', scope: {} };
    const oldest = SECOND - 7 * DAY;
    const [gone, kept] = [
      { series: feed, range: { from: oldest - 90, to: oldest - 1 } },
      { series: feed, range: { from: oldest + 90, to: oldest + 99 } },
    ];
    const text = 'The service keeps events for 7 days, so those before 2026-11-14T05:46:13Z cannot be had any more.';
    const goOn = 'macro announcements changes --since 2026-11-14T05:46:13Z';
    expect(partial('announcements_changes', [gone])).toEqual({
      mark: { complete: false, missing: [gone.range], checked_at: '2026-11-21T04:46:12Z' },
      missingParts: [gone],
      cures: [],
      lost: { text, goOn },
      holder: 'mirror',
    });
    expect(partial('announcements_changes', [gone, kept])).toMatchObject({
      cures: ['macro sync announcements changes'],
      lost: { text, goOn },
    });
    expect(partial('announcements_changes', [kept])).not.toHaveProperty('lost');
  });
});

describe('the refusal of a partial answer', () => {
  const lacking: PartialAnswer = {
    mark: { complete: false, missing: [SPRING, { series: 'fx eur jpy' }] },
    missingParts: [],
    cures: ['macro sync fx eur usd', 'macro fx eur jpy --live'],
    holder: 'mirror',
  };
  const refusal = (more: Partial<PartialAnswer>) => mirrorIncomplete({ ...lacking, ...more });

  it('names the parts and the commands, and nobody waits', () => {
    expect(said(refusal({}))).toEqual({
      kind: 'incomplete',
      message:
        'The mirror has only part of this answer. Missing: 2026-03-01 to 2026-05-31, fx eur jpy. ' +
        'Complete it with: macro sync fx eur usd && macro fx eur jpy --live',
      status: 503,
      code: 'mirror_incomplete',
      extra: { mirror: lacking.mark },
    });
    expect(refusal({}).retryAfter).toBeUndefined();
  });

  it('says what is lost, and who does not hold it', () => {
    expect(refusal({ lost: { text: 'It is gone.', goOn: '' }, cures: [], holder: 'service' }).message).toBe(
      'The service has only part of this answer. Missing: 2026-03-01 to 2026-05-31, fx eur jpy. It is gone.',
    );
    expect(refusal({ mark: { complete: false, missing: [] }, cures: [] }).message).toBe(
      'The mirror has only part of this answer.',
    );
  });
});

it.each([
  [{}, 'all'],
  [{ series: 'fx eur usd' }, 'fx eur usd'],
  [SPRING, '2026-03-01 to 2026-05-31'],
  [{ ...SPRING, series: 'fx eur usd' }, 'fx eur usd 2026-03-01 to 2026-05-31'],
  [{ from: SECOND, to: SECOND + DAY_MS / 1000 }, '2026-11-21T05:46:13Z to 2026-11-22T05:46:13Z'],
])('a missing part %o reads %s', (part, text) => {
  expect(missingTexts([part])).toEqual([text]);
});

it('names the members that need one part together, and none where rows are missing as well', () => {
  const parts = ['a', 'b', 'c', 'd', 'e'].map((member) => ({ to: '2026-02-28', for: member }));
  expect(missingTexts([SPRING, ...parts.slice(0, 2)])).toEqual([
    '2026-03-01 to 2026-05-31',
    'dates up to 2026-02-28 for a, b',
  ]);
  expect(missingTexts(parts)).toEqual(['dates up to 2026-02-28 for a, b, c, d and others']);
  expect(missingTexts([...parts, { to: '2026-02-28' }])).toEqual(['dates up to 2026-02-28']);
});

it('a body gets its mark as the last member and keeps its spelling', () => {
  const mark = { complete: false, missing: [SPRING], checked_at: '2026-11-21T05:00:00Z' } as const;
  expect(markedBody(asJsonText('{"base":"EUR", "data":[{"val":1.10}]}'), mark)).toBe(
    '{"base":"EUR", "data":[{"val":1.10}],"mirror":{"complete":false,' +
      '"missing":[{"from":"2026-03-01","to":"2026-05-31"}],"checked_at":"2026-11-21T05:00:00Z"}}',
  );
});
