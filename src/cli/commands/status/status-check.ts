// `macro status --check`: one line and one exit code for a monitor.
import { waitText } from '../../../client/text.ts';
import { type ErrorKind, EXIT_CODES, MacroError } from '../../../errors.ts';
import type { SelectionState } from '../../../sync/overview.ts';
import { type App, formatFor } from '../../app/app.ts';
import { instantText } from '../../messages/instant.ts';
import type { StatusReport } from './read-status.ts';

/** What a monitor is told. Without a kind everything is well. */
interface StatusVerdict {
  readonly state: 'ok' | 'unreadable' | 'failed' | 'untracked' | 'holes' | 'stale';
  readonly says: string;
  readonly kind?: ErrorKind;
  readonly hint?: string;
}

/** Prints the verdict as one line on stdout. @throws MacroError whose exit code is that of the first finding */
export async function printVerdict(app: App, report: StatusReport): Promise<void> {
  const { state, says, kind, hint } = judgeStatus(report, app.platform.clock.now());
  const exit = kind === undefined ? 0 : EXIT_CODES[kind];
  const format = formatFor(app);
  const isJson = format === 'json' || format === 'ndjson';
  await app.printText(isJson ? JSON.stringify({ state, exit, message: says }) : `macro ${state}: ${says}`);
  if (kind) throw new MacroError(kind, says, { code: `status_${state}`, ...(hint !== undefined && { hint }) });
}

/** The first that applies: mirror unreadable, last run failed, nothing tracked, holes, stale. */
function judgeStatus({ mirror, lastRun, states }: StatusReport, now: number): StatusVerdict {
  if (mirror.error)
    return {
      ...{ state: 'unreadable', kind: mirror.error.kind, says: mirror.error.message },
      ...(mirror.error.hint !== undefined && { hint: mirror.error.hint }),
    };
  if (lastRun?.outcome === 'failed')
    return {
      ...{ state: 'failed', kind: 'upstream', hint: 'To see why: macro doctor. To try again: macro sync' },
      says: `the sync of ${instantText(lastRun.started)} failed: ${lastRun.problem ?? 'it ended without a word'}`,
    };
  if (states.length === 0)
    return {
      ...{ state: 'untracked', kind: 'usage', says: 'nothing is tracked, so there is nothing to check' },
      hint: 'For example: macro track add fx eur usd, calendar usd',
    };
  const holes = states.filter(({ targets, held, gaps }) => held < targets.length || gaps > 0);
  if (holes.length > 0)
    return { state: 'holes', kind: 'incomplete', hint: 'macro sync', says: named(holes, 'not held as a whole') };
  const late = states.filter(({ stale }) => stale > 0);
  const oldest = Math.min(...states.flatMap(({ checkedAt }) => checkedAt ?? []));
  const age = waitText(Math.max(0, (now - oldest) / 1000));
  if (late.length > 0)
    return { state: 'stale', kind: 'stale', hint: 'macro sync', says: `${named(late, 'stale')}, checked ${age} ago` };
  const series = states.reduce((sum, { targets }) => sum + targets.length, 0);
  return { state: 'ok', says: `${states.length} tracked, ${series} series whole, checked ${age} ago or later` };
}

/** Names in one line at most. */
const MAX_NAMES = 3;

function named(states: readonly SelectionState[], what: string): string {
  const names = states.slice(0, MAX_NAMES).map(({ selection }) => selection);
  const more = states.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''} ${states.length === 1 ? 'is' : 'are'} ${what}`;
}
