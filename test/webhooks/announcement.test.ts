import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../src/contract/json/json.ts';
import { readAnnouncement } from '../../src/webhooks/receive/receive.ts';
import { BODY } from './vector.ts';

function read(text: string) {
  const body: unknown = JSON.parse(text);
  if (!isJsonObject(body)) throw new Error('A body is an object');
  return readAnnouncement(body, text);
}

describe('the event of a delivery', () => {
  it('is the row that changes lists: its own text, and the times that a delivery says beside it', () => {
    const text =
      '{"event_id":"usd_inflation_1791981000","currency":"usd","indicator":"inflation","records_written":1,"latest_announcement":{"date":"2026-09-30","val":3.2,"announcement_datetime":"2026-10-14T12:30:00Z"},"timestamp":1791981002,"release_timestamp":1791981000}';
    expect(read(BODY)).toEqual({ text, value: JSON.parse(text) });
  });

  it('keeps the digits of its numbers as they were sent', () => {
    expect(read(BODY.replace('"val":3.2', '"val":3.20'))).toMatchObject({
      text: expect.stringContaining('"val":3.20,'),
    });
  });

  it('keeps times that it carries itself', () => {
    const own = BODY.replace('"records_written":1', '"timestamp":1791981001,"release_timestamp":null');
    expect(read(own)).toMatchObject({ value: { timestamp: 1_791_981_001, release_timestamp: null } });
  });

  it('is released when its print says so, where the id tells no time', () => {
    const named = BODY.replaceAll('usd_inflation_1791981000', 'usd-inflation');
    expect(read(named)).toMatchObject({ value: { event_id: 'usd-inflation', release_timestamp: 1_791_981_000 } });
  });

  it.each([
    [BODY.replace('"event":"announcement"', '"event":"ping"'), 'no event of the kind "ping" is known'],
    [BODY.replace('"event":"announcement",', ''), 'no event of the kind undefined is known'],
    ['{"id":"a","event":"announcement","created":1}', 'the body carries no event'],
    [
      BODY.replace('"data":{"event_id":"usd_', '"data":{"event_id":"eur_'),
      'the delivery is of the event usd_inflation_1791981000, its data of "eur_inflation_1791981000"',
    ],
    [BODY.replace('"currency":"usd",', ''), 'the event does not say of which currency and indicator it is'],
    [BODY.replace('1791981002', '"soon"'), 'created is no whole number of Unix seconds'],
    [BODY.replace('1791981002', '1791981002.5'), 'created is no whole number of Unix seconds'],
  ])('of %s is refused', (text, problem) => {
    expect(read(text)).toEqual({ problem });
  });
});
