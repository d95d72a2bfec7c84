import { MacroError } from '../../../errors.ts';
import { planUnit } from '../../../imports/fetch/plan.ts';
import { type FetchedUnit, fetchUnit, writeFetched } from '../../../imports/fetch/run.ts';
import { readUnitStates, type UnitState } from '../../../imports/fetch/state.ts';
import type { FetchUnit } from '../../../imports/fetch/units.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import type { RowCounts } from '../../../mirror/api/page-commit.ts';
import {
  addRowCounts,
  noRows,
  type RunProblem,
  reportSeries,
  type SeriesReport,
  type SyncReport,
  summarizeRun,
} from '../../../sync/report.ts';
import type { App } from '../../app/app.ts';
import { fetchOptions } from '../../app/publishers.ts';
import type { ProgressBar } from '../../print/progress-bar.ts';
import type { PlanRow } from './plan.ts';
import type { SyncOptionsTyped } from './sync.ts';

interface Publishers extends Pick<SyncOptionsTyped, 'maxAge' | 'full' | 'check'> {
  readonly units: readonly FetchUnit[];
}

/** Kinds of error that would meet every further file too. */
const FOR_ALL: ReadonlySet<string> = new Set(['mirror', 'interrupted', 'busy']);

/** Updates the files of publishers one after the other. If one fails, it is reported and the others go on. */
export async function syncPublishers(
  app: App,
  { units, mirror, bar, ...ask }: Publishers & { readonly mirror: Mirror; readonly bar: ProgressBar },
): Promise<SyncReport> {
  const states = await readUnitStates(mirror, units);
  const shared = fetchOptions(app);
  const options = { ...shared, isNamed: isNamed(ask), full: ask.full };
  const series: SeriesReport[] = [];
  let end: RunProblem | undefined;
  for (const [place, unit] of units.entries()) {
    const state = states[place];
    if (!state || end) continue;
    bar.show({ what: unit.name, requests: shared.client.sent(), share: place / units.length });
    const before = shared.client.sent();
    const { rows, notes, error } = await bringUnit(unit, state, { mirror, options, now: app.platform.clock.now });
    const counts = {
      requests: shared.client.sent() - before,
      rows,
      notes: [...notes],
      isPartial: false,
      isReplaced: false,
    };
    series.push(reportSeries({ name: unit.name, work: { counts }, error, isOpen: false, isImplied: false }));
    if (error && FOR_ALL.has(error.kind)) end = { kind: error.kind, message: error.message };
  }
  return summarizeRun({ series, skipped: units.length - series.length, ...(end && { end }) });
}

async function bringUnit(
  unit: FetchUnit,
  state: UnitState,
  { mirror, options, now }: { mirror: Mirror; options: Parameters<typeof fetchUnit>[2]; now: () => number },
) {
  let fetched: FetchedUnit | undefined;
  try {
    fetched = await fetchUnit(unit, state, options);
    const reports = await writeFetched([fetched], { mirror, now: now() });
    return { rows: reports.reduce<RowCounts>(addRowCounts, noRows), notes: fetched.notes, error: undefined };
  } catch (error) {
    if (!(error instanceof MacroError)) throw error;
    return { rows: noRows, notes: [], error };
  } finally {
    fetched?.discard();
  }
}

/** Rows of a plan: which files are due, why, and how large they were. Contacts nobody. */
export async function rowsOfFiles(
  app: App,
  { units, mirror, ...ask }: Publishers & { readonly mirror: Mirror | undefined },
): Promise<PlanRow[]> {
  const now = app.platform.clock.now();
  const states = await readUnitStates(mirror, units);
  return units.flatMap((unit, place) => {
    const state = states[place];
    if (!state) return [];
    return planUnit(unit, state, { now, isNamed: isNamed(ask), full: ask.full }).map(
      ({ kind, address, file, why, last }): PlanRow => ({
        reason: kind,
        series: `${unit.name} ${kind === 'page' ? address : file}`,
        from: null,
        to: null,
        requests: 1,
        more: kind === 'page' ? 'and what it names' : last ? `${last.fetched.bytes} bytes last time` : null,
        why,
      }),
    );
  });
}

const isNamed = ({ maxAge, check, full }: Omit<Publishers, 'units'>) => maxAge === 0 || check === true || full === true;
