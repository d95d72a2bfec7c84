import { expect, test } from 'vitest';
import { type FreshMirror, page, row, SERVICE } from '../support.ts';

/** Entries of a catalogue. */
export function catalogueOf(fresh: FreshMirror): void {
  test('coverage that moves with the day is no revision of a catalogue entry', async () => {
    const { mirror } = await fresh();
    const series = { origin: SERVICE, endpoint: 'data_catalogue', scope: { currency: 'USD' } };
    const entry = (lag: number, name: string) =>
      row(`{"name":"${name}","coverage":{"data_lag_days":${lag}}}`, { name: 'inflation' });
    const take = (lag: number, name: string) =>
      mirror.commitPage(page([entry(lag, name)], { series, access: 'keyless', extent: 'replaces' }));
    await take(21, 'CPI');
    expect(await take(22, 'CPI')).toMatchObject({ revised: 0, unchanged: 1 });
    expect(await take(22, 'Inflation (CPI)')).toMatchObject({ revised: 1, unchanged: 0 });
  });
}
