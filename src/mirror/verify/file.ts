import type { VerificationFinding } from '../api/verification.ts';
import { sumOf, WHOLE_FILE } from '../core/sums.ts';
import { quote, type Table } from '../core/tables.ts';
import { stampFact } from '../ledger/facts.ts';
import type { LedgerSchema } from '../ledger/ledger.ts';
import type { Evidence } from './evidence.ts';
import { collectFindings, type Findings } from './findings.ts';
import { addsUp, checkParts, keptSums } from './sums.ts';

/** Checks what belongs to no series: the file, its stamp, the chain of commits, rows and facts that nobody owns. */
export async function checkFile(stored: Evidence, tables: readonly Table[]): Promise<readonly VerificationFinding[]> {
  const findings = collectFindings();
  await stored.requireSound();
  await checkForeign(stored, tables, findings);
  await checkStamp(stored, findings);
  await checkChain(stored, findings);
  await checkOrphans(stored, findings);
  await checkParts(stored, findings);
  return findings.list();
}

/** A trigger may change every number on its way in; what only stands beside the tables of this program changes nothing. */
async function checkForeign(stored: Evidence, tables: readonly Table[], findings: Findings): Promise<void> {
  for (const { type, name, on, effect } of await stored.foreign(tables)) {
    if (effect === 'alters')
      findings.problem('foreign', `the ${type} ${name} on ${on} is not of this program, and may change what is kept`);
    else if (effect === 'is another')
      findings.note(
        'foreign',
        `the ${type} ${name} is not as this version makes it; the next macro sync makes it anew`,
      );
    else findings.note('foreign', `the ${type} ${name} is not of this program`);
  }
}

async function checkStamp(stored: Evidence, findings: Findings): Promise<void> {
  const rows = await stored.rows<LedgerSchema['mirror']>('select * from mirror');
  const kept = await keptSums(stored, WHOLE_FILE);
  if (rows.length !== 1 || !addsUp(sumOf(rows.map(stampFact)), kept('stamp')))
    findings.problem('ledger', 'the stamp that says whose data the file holds was altered');
}

/** Commits are numbered from 1 without a gap, and none was before the one before it. */
async function checkChain(stored: Evidence, findings: Findings): Promise<void> {
  let last = { number: 0, at: Number.NEGATIVE_INFINITY };
  const all = { sql: 'select number, at from commits order by number', values: [] };
  for await (const commits of stored.portions<[number, number]>(all))
    for (const [number, at] of commits) {
      if (number !== last.number + 1)
        findings.problem('ledger', `commit ${number} follows commit ${last.number}: what was between them is gone`);
      if (at < last.at) findings.problem('ledger', `commit ${number} says that it was before commit ${last.number}`);
      last = { number, at };
    }
}

/** Rows of tables that name a series, where that series is not stored. */
async function checkOrphans(stored: Evidence, findings: Findings): Promise<void> {
  for (const table of (await stored.tables()).filter((name) => /^[a-z_][a-z0-9_]*$/i.test(name))) {
    const orphans = await stored.rows<{ series: number; rows: number }>(
      `select series, count(*) as rows from ${quote(table)}
       where series not in (select id from series) ${table === 'sums' ? `and series <> ${WHOLE_FILE}` : ''} group by series`,
    );
    for (const { series, rows } of orphans)
      findings.problem('orphan', `${table} holds ${rows} rows of series ${series}, which is not held`);
  }
}
