import type { Reserved } from '../../client/quota/account.ts';
import { type BudgetLeft, blockedUntil, readBudgets } from '../../client/quota/budgets.ts';
import type { App } from '../app/app.ts';
import { forgetAccount, ledgerOwner, noService, readAccount } from '../app/service.ts';
import { isOn } from '../parse/options.ts';
import { instantText } from '../print/rows.ts';
import type { Call, CommandDeclaration } from './command.ts';
import { LISTING } from './common-options.ts';

export default [
  {
    path: ['quota'],
    summary: 'Show how many requests are left of each budget, and until when; works offline',
    options: [`--forget: forget the known budgets, for example after a change of plan`, LISTING],
    examples: ['quota', 'quota --format json'],
    rows: `budget text, limit count?, used count, reserved count, left count?, resets_at time?, resets_in count?,
  source text, reported_at time?`,
    run: showQuota,
  },
] satisfies readonly CommandDeclaration[];

const SPARE = ['reported_at', 'source', 'reserved', 'used'] as const;

/** Prints the rest of each budget from the ledger, without a request. @throws MacroError of kind `auth`. */
async function showQuota(app: App, call: Call): Promise<void> {
  const { value: baseUrl } = app.settings.baseUrl;
  if (baseUrl === undefined) throw noService('there is no quota to show.');
  const owner = ledgerOwner(app, baseUrl);
  const now = app.platform.clock.now();
  const tell = (text: string) => void app.note(text, 'quota_not_shared');
  if (isOn(call.options, 'forget')) {
    await forgetAccount(app, baseUrl, tell);
    return app.note(`The known quota of ${owner.service} is forgotten; the next answer tells it.`, 'quota_forgotten');
  }
  const account = await readAccount(app, baseUrl, tell);
  const { hold } = account;
  const underway = account.open.filter(({ until }) => until > now);
  const access = owner.access === 'keyless' ? 'without a key' : owner.access.replace(':', ' ');
  await app.list({
    spare: SPARE,
    durations: new Map([['resets_in', 1]]),
    rows: readBudgets(account, now).map((budget) => rowOf(budget, now)),
    title: [owner.service, access, ...processesText(underway)],
    beside: {
      ...{
        ...owner,
        reported: account.isTold,
        hold: hold ? { budget: hold.budget, until: instantText(hold.until) } : null,
      },
      reservations: underway.map(({ pid, priority, route, at, until }) => ({
        ...{ pid, priority, route, since: instantText(at), until: instantText(until) },
      })),
    },
  });
  if (account.isHeard && !account.isTold)
    await app.note(
      'This service sends no quota with its answers. These are the published budgets, and nothing is counted.',
      'quota_untold',
    );
  const held = blockedUntil(account, now);
  if (held !== undefined)
    await app.note(
      `The service asked to wait: no request leaves before ${instantText(held)}.`,
      'service_asked_to_wait',
    );
}

function rowOf(left: BudgetLeft, now: number) {
  const { budget, limit, used, reserved, resetsAt, source, toldAt } = left;
  return {
    budget,
    limit,
    used,
    reserved,
    left: left.left,
    resets_at: instantText(resetsAt),
    resets_in: resetsAt === undefined ? null : Math.max(0, Math.ceil((resetsAt - now) / 1000)),
    source,
    reported_at: instantText(toldAt),
  };
}

/** Who has set requests aside: `2 under way in process 4242 (sync)`. */
function processesText(underway: readonly Reserved[]): readonly string[] {
  const pids = [...new Set(underway.map(({ pid }) => pid))];
  return pids.map((pid) => {
    const own = underway.filter((one) => one.pid === pid);
    return `${own.length} under way in process ${pid}${own[0]?.priority === 'background' ? ' (sync)' : ''}`;
  });
}
