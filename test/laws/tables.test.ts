import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Mapping } from '../../src/contract/mapping.ts';
import { MAPPINGS } from '../../src/endpoints/index.ts';
import { createTables, tableOf } from '../../src/mirror/rules/tables.ts';

/**
 * What the mirror keeps, by table: [what tells one series from another] the key of a row in its series | further columns.
 * Scope and key together are the natural keys of the interface; a change here asks for another version of the schema.
 */
const TABLES: Readonly<Record<string, string>> = {
  catalogue: '[currency] slug text |',
  announcements:
    '[currency, indicator, seasonality, frequency, annualization, period_aggregation, basis] date text | val real, announcement_datetime integer, released integer',
  announcements_latest: '[currency] indicator text |',
  events: '[] timestamp integer, event_id text | currency text, indicator text, release_timestamp integer',
  predictions:
    '[currency, indicator, pre_release_only, seasonality, frequency, annualization, period_aggregation, basis] date text, announcement_id text | announcement_datetime integer',
  prediction_vintages:
    '[currency, prediction_source] forecast_observation_id text | variable text, target_period text, publication_precision text',
  prediction_coverage: '[] currency text |',
  prediction_coverage_currency: '[currency] indicator text |',
  calendar: '[currency] announcement_datetime integer, calendar_event_id text | release text',
  calendar_gaps: '[currency] gap_start text |',
  calendar_snapshots: '[currency, as_of] announcement_datetime integer, archive_event_id text |',
  calendar_versions: '[currency, archive_event_id] archive_event_id text, version integer | captured_at integer',
  factors:
    '[currency, factor, include_components, include_sources] date text | val real, announcement_datetime integer',
  fx_daily: '[base, quote] date text | val real, open real, high real, low real, close real',
  fx_intraday:
    '[base, quote] timestamp integer, source_id text, source_pair text, timestamp_type text | price real, val real, reference_date text, derivation_method text, is_official integer',
  fx_reference:
    '[base, quote] date text, timestamp_utc integer, source_id text, source_pair text, timestamp_type text | price real, val real, is_derived integer, derivation_method text, is_official integer',
  fx_session:
    '[base, quote, session] date text | timestamp_utc integer, session_close_utc integer, staleness_minutes integer, timestamp_type text, price real, val real, source_id text, source_pair text, is_derived integer, derivation_method text',
  fx_sources: '[] id text |',
  fx_source_universe: '[] source_id text |',
  curves: '[currency, curve_family, metric] date text, maturity text | val real, announcement_datetime integer',
  rate_differentials: '[base, quote, measure, rate_type] date text | base_val real, quote_val real',
  risk_sentiment: '[] date text | val real',
  risk_sentiment_changes: '[] change_sequence integer | date text, changed_at integer',
  cot: '[currency, report] date text | open_interest integer, announcement_datetime integer',
  commodities_latest: '[] indicator text |',
  commodities: '[indicator] date text | val real, announcement_datetime integer',
  press_releases: '[currency] date text, url text |',
  settlement_contracts: '[] contract_id text | currency text, indicator text',
  settlement_contract_records: '[contract_id, period, strike, comparison] period text | currency text, indicator text',
  settlement_keys: '[] key_id text |',
  settlement_records: '[currency, indicator, period, strike, comparison] period text |',
  financial_prices:
    '[currency] date text, source text, instrument_id text, measure text | val real, issuer text, announcement_datetime integer',
};

/** Columns that every table has of the mirror's own; the interface knows none of them. */
const OWN = [
  'seen integer!',
  'refreshed integer',
  'keyed integer!',
  'assumed_release integer',
  'mark integer!',
  'text text!',
];

interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly notnull: 0 | 1;
  readonly pk: number;
}

/** Name of the mapping's table and its suffix, with the columns as SQLite reads the statements. */
function columnsOf(id: string, mapping: Mapping, suffix = ''): readonly ColumnInfo[] {
  const db = new Database(':memory:');
  for (const statement of createTables(tableOf(id, mapping))) db.exec(statement);
  const columns = db.prepare('select name, type, "notnull", pk from pragma_table_info(?)');
  return columns.all(`${mapping.table}${suffix}`) as ColumnInfo[]; // the shape that the statement selects
}

const spelled = ({ name, type, notnull }: ColumnInfo) => `${name} ${type.toLowerCase()}${notnull === 1 ? '!' : ''}`;
const typed = ({ name, type }: ColumnInfo) => `${name} ${type.toLowerCase()}`;

it('every table that the mirror can have is listed', () => {
  expect(Object.values(MAPPINGS).map(({ table }) => table)).toEqual(Object.keys(TABLES));
});

describe.each(Object.entries(MAPPINGS))('the table of %s', (id, mapping) => {
  const columns = columnsOf(id, mapping);
  const keys = [...columns].filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const own = columns.filter((column) => OWN.includes(spelled(column)));
  const further = columns.filter((column) => column.pk === 0 && !own.includes(column));

  it('has the listed columns', () => {
    const [series, ...key] = keys;
    expect(series && spelled(series)).toBe('series integer!');
    const list = `[${mapping.scope.join(', ')}] ${key.map(typed).join(', ')} | ${further.map(typed).join(', ')}`;
    expect(list.trim()).toBe(TABLES[mapping.table]);
    expect(own.map(spelled)).toEqual(OWN);
  });

  it('requires its key and nothing else of a row', () => {
    expect(keys.filter(({ notnull }) => notnull === 0)).toEqual([]);
    expect(further.filter(({ notnull }) => notnull === 1)).toEqual([]);
  });

  it('stands beside one of its superseded rows, told apart by their revision', () => {
    const superseded = columnsOf(id, mapping, '_superseded');
    const names = superseded.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    expect(names.map(spelled)).toEqual([...keys.map(spelled), 'revision integer!']);
    const kept = superseded.filter(({ name }) => name !== 'revision' && name !== 'superseded').map(spelled);
    expect(kept).toEqual(columns.map(spelled));
  });

  it('stands beside one of vintages where rows have them', () => {
    const vintages = columnsOf(id, mapping, '_vintages').filter(({ pk }) => pk > 0);
    const expected = mapping.vintages === undefined ? [] : [...keys.map(spelled), 'known integer!', 'value text!'];
    expect(vintages.map(spelled)).toEqual(expected);
  });
});
