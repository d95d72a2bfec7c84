import { asJsonText } from '../../contract/json/json.ts';
import type { Journal, JournalAsk, JournalEvent, Subject, Via } from '../api/journal.ts';
import type { SqliteConnection } from '../sqlite/connect.ts';
import type { LedgerSchema } from './ledger.ts';

type Row = LedgerSchema['journal'] & { readonly origin: string };

const COLUMNS = 'position, origin, event, timestamp, currency, indicator, release, text';
const FROM = 'from journal join series on series.id = journal.series';

/** Reads events of the journal. A list that filters is given to SQL as JSON, so that one statement serves all lengths. */
export function journalReader(db: SqliteConnection) {
  const isAmong = (column: string) => `(:${column} is null or ${column} in (select value from json_each(:${column})))`;
  const select = db.prepare<unknown[], Row>(
    `select ${COLUMNS} ${FROM} where position > :after and ${isAmong('currency')} and ${isAmong('indicator')}
     order by position limit :limit`,
  );
  const byId = db.prepare<[string], Row>(`select ${COLUMNS} ${FROM} where event = ? order by position desc limit 1`);
  const ways = db.prepare<[number], { via: Via; at: number }>(
    'select via, at from arrivals where position = ? order by at, via',
  );
  const newest = db.prepare<[], number>('select coalesce(max(position), 0) from journal').pluck();
  const subjects = db.prepare<[number], Subject>(
    `select origin, currency, indicator, max(position) as position ${FROM} where position > ?
     group by origin, currency, indicator order by max(position)`,
  );

  const toEvent = ({ position, origin, event, release, text, ...row }: Row): JournalEvent => ({
    position,
    origin,
    id: event,
    timestamp: row.timestamp,
    currency: row.currency,
    indicator: row.indicator,
    release: release ?? undefined,
    text: asJsonText(text),
    arrivals: ways.all(position),
  });
  const list = (words: readonly string[] | undefined) => (words === undefined ? null : JSON.stringify(words));

  return {
    events: ({ after, limit, currencies, indicators }: JournalAsk): readonly JournalEvent[] =>
      select.all({ after, limit, currency: list(currencies), indicator: list(indicators) }).map(toEvent),
    event(id: string): JournalEvent | undefined {
      const row = byId.get(id);
      return row && toEvent(row);
    },
    newest: () => newest.get() ?? 0,
    subjects: (after: number) => subjects.all(after),
  } satisfies { [K in keyof Journal]?: (...asked: never[]) => unknown };
}
