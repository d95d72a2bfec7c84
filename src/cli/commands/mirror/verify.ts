import { freshFor } from '../../../contract/endpoint.ts';
import { ENDPOINTS } from '../../../endpoints/index.ts';
import { MacroError } from '../../../errors.ts';
import type { MirrorReader } from '../../../mirror/api/mirror.ts';
import type { SeriesKey } from '../../../mirror/api/series.ts';
import type { SeriesFinding, Verification } from '../../../mirror/api/verification.ts';
import { withoutUndone } from '../../../mirror/rules/as-of/undone.ts';
import { missedReleases, momentsText } from '../../../source/coverage/missed-releases.ts';
import type { App } from '../../app/app.ts';
import { listOwn } from '../../print/listing.ts';
import { openProgressBar } from '../../print/progress-bar.ts';
import { instantText } from '../../print/rows.ts';
import { chosenBy, nameOfSeries, noneChosen } from '../../print/series.ts';
import type { Call } from '../command.ts';
import { requireMirror } from './require-held.ts';

const COLUMNS = ['level', 'series', 'row', 'finding', 'detail'] as const;
type Line = Readonly<Record<(typeof COLUMNS)[number], string | null>>;
type Chosen = (series: SeriesKey) => boolean;

/**
 * Checks the mirror offline against everything that was noted when its data came in. Problems end with exit 9; what is
 * late, missed or not proven is only noted.
 * @throws MacroError of kind `notFound` or `verification`.
 */
export async function runVerify(app: App, call: Call): Promise<void> {
  const { mirror } = await requireMirror(app);
  const only = chosenBy(call.words);
  const bar = openProgressBar(app, app.platform.clock);
  const verification = await mirror.verify({
    only,
    signal: app.signal,
    onSeries: (done, of) => bar.show({ share: done / Math.max(of, 1), what: `${done} of ${of} series checked` }),
  });
  bar.show({ share: 1, what: `${verification.series} series checked` });
  if (verification.series === 0 && call.words.length > 0) throw noneChosen(call.words);
  const late = await mirror.snapshot((reader) => lateNotes(reader, { only, now: app.platform.clock.now() }));
  const lines = [...verification.findings.map(lineOf), ...late];
  await printLines(app, verification, lines);
  const problems = lines.filter(({ level }) => level === 'problem');
  if (problems.length > 0) throw contradicted(mirror.name, problems);
  await app.note(`${counted(verification)} hold: every row is as it was received.`, 'verified');
}

function lineOf({ level, series, what, key, detail }: SeriesFinding): Line {
  return { level, series: series ? nameOfSeries(series) : null, row: key?.join(' ') ?? null, finding: what, detail };
}

async function lateNotes(reader: MirrorReader, scope: { only: Chosen; now: number }): Promise<readonly Line[]> {
  const missed = (await missedReleases(reader, scope.now)).filter(({ series }) => scope.only(series));
  return [
    ...missed.map(({ series, due }): Line => {
      const detail = `no row of the releases that were due at ${momentsText(due)}`;
      return { level: 'note', series: nameOfSeries(series), row: null, finding: 'gap', detail };
    }),
    ...(await staleNotes(reader, scope)),
  ];
}

/**
 * One note an endpoint: how many of its series were confirmed longer ago than its answers stay fresh. A feed, which is never
 * fresh, would be one at any time.
 */
async function staleNotes(
  reader: MirrorReader,
  { only, now }: { only: Chosen; now: number },
): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (const endpoint of ENDPOINTS.filter((one) => one.mirror && freshFor(one, now) > 0)) {
    const stored = (await withoutUndone(reader).find({ endpoint: endpoint.id, scope: {} })).filter(only);
    const stale = stored.filter(({ checkedAt }) => now - checkedAt > freshFor(endpoint, now) * 1000);
    const [first] = stale;
    if (!first) continue;
    const oldest = instantText(Math.min(...stale.map(({ checkedAt }) => checkedAt)));
    const series = stale.length === 1 ? nameOfSeries(first) : (endpoint.cli?.words ?? [endpoint.id]).join(' ');
    const detail = `${stale.length} of ${stored.length} series may have changed since; last confirmed ${oldest === null ? 'never' : `${oldest} at the earliest`}`;
    lines.push({ level: 'note', series, row: null, finding: 'stale', detail });
  }
  return lines;
}

async function printLines(app: App, verification: Verification, lines: readonly Line[]): Promise<void> {
  const { series, rows, hash } = verification;
  const count = (wantedLevel: string) => lines.filter(({ level }) => level === wantedLevel).length;
  const path = app.settings.mirror.value;
  await app.print(
    listOwn({
      columns: COLUMNS,
      rows: lines,
      title: [path, counted(verification), `${count('problem')} problems`, `${count('note')} notes`],
      beside: { mirror: path, series, rows, hash, problems: count('problem'), notes: count('note') },
    }),
  );
}

function counted({ series, rows }: Verification): string {
  return `${series} series with ${rows} rows`;
}

function contradicted(path: string, problems: readonly Line[]): MacroError {
  const series = [...new Set(problems.map((line) => line.series ?? 'the file'))];
  const named = series.slice(0, 3).join(', ') + (series.length > 3 ? ` and ${series.length - 3} more` : '');
  return new MacroError('verification', `The mirror ${path} is not as it was written: ${named}.`, {
    code: 'mirror_altered',
    hint: 'Rely on none of it: restore a backup, or bring the series into a new file with macro sync --mirror FILE.',
  });
}
