import { describe, expect, it } from 'vitest';
import { asJsonText, type JsonObject } from '../../src/contract/json/json.ts';
import { integerColumn, textField } from '../../src/contract/mapping.ts';
import { isOrderedBy, keyValues } from '../../src/source/stored/page-order.ts';

const row = (value: JsonObject) => ({ text: asJsonText(JSON.stringify(value)), value });
const date = textField('date');
const time = integerColumn('time');
const source = { ...textField('source', 'source.id'), otherwise: 'nobody' };
const days = (...dates: readonly string[]) => dates.map((one) => row({ date: one }));

describe('the key of a received row', () => {
  it('is what the mirror keeps: instants as seconds, members of members, what stands for a missing one', () => {
    const received = row({ date: '2026-11-20', time: '2026-11-20T13:15:00Z', source: { id: 'ecb' } });
    expect(keyValues(received, [date, time, source])).toEqual(['2026-11-20', 1795180500, 'ecb']);
    expect(keyValues(row({ date: '2026-11-20', time: 5 }), [date, time, source])).toEqual(['2026-11-20', 5, 'nobody']);
    expect(keyValues(row({ date: '2026-11-20' }), [date, time])).toBeUndefined();
    expect(keyValues(undefined, [date])).toBeUndefined();
  });
});

describe('rows in the order of columns', () => {
  it('run one way, forwards or backwards, with repeats or without', () => {
    expect(isOrderedBy([date], days('2026-01-01', '2026-01-02', '2026-01-02', '2026-01-05'))).toBe(true);
    expect(isOrderedBy([date], days('2026-01-05', '2026-01-02', '2026-01-01'))).toBe(true);
    expect(isOrderedBy([date], days('2026-01-01'))).toBe(true);
    expect(isOrderedBy([date], [])).toBe(true);
  });

  it('are not in order when they turn round or lack a key', () => {
    expect(isOrderedBy([date], days('2026-01-01', '2026-01-03', '2026-01-02'))).toBe(false);
    expect(isOrderedBy([date], days('2026-01-03', '2026-01-03', '2026-01-01', '2026-01-02'))).toBe(false);
    expect(isOrderedBy([date], [row({ date: '2026-01-01' }), row({})])).toBe(false);
  });

  it('can follow the date and not the whole key', () => {
    const rows = [
      row({ date: '2026-01-01', time: 9 }),
      row({ date: '2026-01-01', time: 5 }),
      row({ date: '2026-01-02', time: 1 }),
    ];
    expect([isOrderedBy([date], rows), isOrderedBy([date, time], rows)]).toEqual([true, false]);
  });
});
