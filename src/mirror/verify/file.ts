import { MacroError } from '../../errors.ts';
import type { Connection } from '../connect.ts';
import type { LedgerSchema } from '../ledger.ts';
import { addTo, emptySum, stampFact } from '../sums.ts';
import { quote } from '../tables.ts';
import type { Finding } from '../verification.ts';
import { collectFindings, type Findings } from './findings.ts';
import { addsUp, checkParts, keptSums } from './sums.ts';

/** Checks what belongs to no series: the file, its stamp, the chain of commits, rows and facts that nobody owns. */
export function checkFile(db: Connection): readonly Finding[] {
  const findings = collectFindings();
  checkPages(db);
  checkStamp(db, findings);
  checkChain(db, findings);
  checkOrphans(db, findings);
  checkParts(db, findings);
  return findings.list();
}

function checkPages(db: Connection): void {
  const [first] = db.prepare<[], string>('pragma integrity_check(1)').pluck().all();
  if (first === 'ok') return;
  throw new MacroError('mirror', `The mirror ${db.name} is damaged: ${first}.`, {
    hint: 'Keep a copy of the file, then restore a backup, or name a new file with --mirror and run `macro sync`.',
    code: 'mirror_damaged',
  });
}

function checkStamp(db: Connection, findings: Findings): void {
  const rows = db.prepare<[], LedgerSchema['mirror']>('select * from mirror').all();
  const sum = emptySum();
  for (const row of rows) addTo(sum, stampFact(row));
  if (rows.length !== 1 || !addsUp(sum, keptSums(db, 0)('stamp')))
    findings.problem('ledger', 'the stamp that says whose data the file holds was altered');
}

/** Commits are numbered from 1 without a gap, and none was before the one before it. */
function checkChain(db: Connection, findings: Findings): void {
  const commits = db.prepare<[], [number, number]>('select number, at from commits order by number').raw().iterate();
  let last = { number: 0, at: Number.NEGATIVE_INFINITY };
  for (const [number, at] of commits) {
    if (number !== last.number + 1)
      findings.problem('ledger', `commit ${number} follows commit ${last.number}: what was between them is gone`);
    if (at < last.at) findings.problem('ledger', `commit ${number} says that it was before commit ${last.number}`);
    last = { number, at };
  }
}

/** Rows of tables that name a series, where that series is not held. */
function checkOrphans(db: Connection, findings: Findings): void {
  const tables = db
    .prepare<[], string>(
      `select schema.name from sqlite_schema schema join pragma_table_info(schema.name) info on info.name = 'series'
       where schema.type = 'table' order by schema.name`,
    )
    .pluck()
    .all();
  for (const table of tables.filter((name) => /^[a-z_][a-z0-9_]*$/i.test(name))) {
    const orphans = db
      .prepare<[], [series: number, rows: number]>(
        `select series, count(*) from ${quote(table)}
         where series not in (select id from series) ${table === 'sums' ? 'and series <> 0' : ''} group by series`,
      )
      .raw()
      .all();
    for (const [series, rows] of orphans)
      findings.problem('orphan', `${table} holds ${rows} rows of series ${series}, which is not held`);
  }
}
