import { describe, expect, it } from 'vitest';
import { asJsonText } from '../../src/contract/json/json.ts';
import type { JournalEvent } from '../../src/mirror/api/journal.ts';
import type { Subscription } from '../../src/mirror/api/outbox.ts';
import { deliveriesOf } from '../../src/webhooks/send/enqueue.ts';
import { BODY } from './vector.ts';

const LATEST = '{"date":"2026-09-30","val":3.2,"announcement_datetime":"2026-10-14T12:30:00Z"}';
const event = (text: string): JournalEvent => ({
  position: 7,
  origin: 'https://api.example.test',
  id: 'usd_inflation_1791981000',
  timestamp: 1_791_981_002,
  currency: 'usd',
  indicator: 'inflation',
  release: 1_791_981_000,
  text: asJsonText(text),
  arrivals: [],
});
const TEXT = `{"event_id":"usd_inflation_1791981000","currency":"usd","indicator":"inflation","records_written":1,"timestamp":1791981002,"release_timestamp":1791981000,"latest_announcement":${LATEST}}`;

const subscription = (changes: Partial<Subscription> = {}): Subscription => ({
  id: 'sub_01hzx4m2q7',
  owner: 'desk',
  url: 'https://hooks.example.com/in',
  status: 'active',
  currencies: undefined,
  indicators: undefined,
  description: undefined,
  since: 0,
  successes: 0,
  failures: 0,
  consecutiveFailures: 0,
  failingSince: undefined,
  createdAt: 0,
  updatedAt: undefined,
  disabledAt: undefined,
  disabledReason: undefined,
  ...changes,
});

describe('a delivery', () => {
  it('has the body of the test vector, byte by byte', () => {
    expect(deliveriesOf(event(TEXT), [subscription()])[0]).toEqual({
      id: 'sub_01hzx4m2q7_usd_inflation_1791981000',
      subscription: 'sub_01hzx4m2q7',
      event: 'usd_inflation_1791981000',
      position: 7,
      body: BODY,
    });
  });

  it('spells numbers as they came, and carries nothing that is not of the event', () => {
    const spelled = TEXT.replace('3.2', '3.200').replace('"timestamp"', '"age_ms": 17, "timestamp"');
    expect(deliveriesOf(event(spelled), [subscription()])[0]?.body).toBe(BODY.replace('3.2', '3.200'));
  });

  it('carries the print alone where the event has the whole row', () => {
    const row = '{"announcement_id":5,"val":3.2,"date":"2026-09-30","announcement_datetime":1791981000,"previous":3.1}';
    expect(deliveriesOf(event(TEXT.replace(LATEST, row)), [subscription()])[0]?.body).toBe(BODY);
  });

  it('leaves out what an event does not say', () => {
    const bare =
      '{"event_id":"usd_inflation_1791981000","currency":"usd","indicator":"inflation","timestamp":1791981002}';
    const data: unknown = JSON.parse(deliveriesOf(event(bare), [subscription()])[0]?.body ?? '').data;
    expect(data).toEqual({ event_id: 'usd_inflation_1791981000', currency: 'usd', indicator: 'inflation' });
  });

  it.each([
    [undefined, undefined, true],
    [['usd'], undefined, true],
    [['eur', 'usd'], ['gdp', 'inflation'], true],
    [['eur'], undefined, false],
    [undefined, ['gdp'], false],
    [['usd'], ['gdp'], false],
    [['eur'], ['inflation'], false],
  ])('to those who want currencies %j and indicators %j: %s', (currencies, indicators, wanted) => {
    expect(deliveriesOf(event(TEXT), [subscription({ currencies, indicators })]).length).toBe(wanted ? 1 : 0);
  });
});
