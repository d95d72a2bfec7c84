import { join } from 'node:path';
import { unknownNote } from '../../../contract/params/read-params.ts';
import announcements from '../../../endpoints/announcements/series.ts';
import { MacroError } from '../../../errors.ts';
import { eventRecorder } from '../../../events/record.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';
import { GENERATED_ACCESS } from '../../../mirror/rules/coverage.ts';
import { isServerAddress } from '../../../mirror/rules/engine.ts';
import { makeUpRelease, type Released } from '../../../sandbox/announced/events.ts';
import { SANDBOX_FILE } from '../../../sandbox/open.ts';
import { SANDBOX_ORIGIN } from '../../../sandbox/rows.ts';
import { changesNamer } from '../../../sync/feeds.ts';
import type { App } from '../../app/app.ts';
import { textOption } from '../../parse/options.ts';
import { readQuestion, wrongWords } from '../../parse/question.ts';
import type { Call } from '../command.ts';

const COLUMNS = ['event_id', 'currency', 'indicator', 'latest_announcement.date', 'latest_announcement.val'] as const;

type Series = Pick<Released, 'currency' | 'indicator'>;

/** Writes a made-up event, which `serve` sends on. Only synthetic mirrors take it: it may not stand beside real numbers. */
export async function triggerWebhooks(app: App, call: Call): Promise<void> {
  const { clock } = app.platform;
  const now = Math.floor(clock.now() / 1000);
  const series = readSeries(call, clock.now());
  const mirror = await openSynthetic(app);
  const val = readVal(textOption(call.options, 'val'));
  const { event: row, revision, checked } = await makeUpRelease(mirror, { ...series, val }, now);
  const { service = SANDBOX_ORIGIN } = await mirror.stamp();
  const parts = { mirror, clock, service, access: GENERATED_ACCESS, via: 'local' } as const;
  const done = await app.change(`put this made-up release into ${mirror.name}: ${row.text}`, async () => {
    if (revision) await mirror.commitPage(revision);
    await eventRecorder({ ...parts, named: changesNamer() })(row, true);
    for (const check of checked) await mirror.commitPage({ ...check, at: Math.max(check.at, clock.now()) });
  });
  if (!done) return;
  await app.warn(`made up: nobody published this; it went into ${mirror.name}`, 'synthetic');
  await app.list({ columns: COLUMNS, texts: [row.text], title: ['Made-up release'] });
}

function readSeries({ words }: Call, now: number): Series {
  const [currency, indicator, ...rest] = words;
  if (currency === undefined || indicator === undefined || rest.length > 0)
    throw wrongWords(
      'macro webhooks trigger takes a currency and an indicator.',
      'For example: macro webhooks trigger usd inflation --val 3.4',
    );
  const { question, unknown } = readQuestion(announcements, { words, options: {} }, { now, siblings: [] });
  if (unknown[0]) throw wrongWords(unknownNote(unknown[0]), 'For example: macro webhooks trigger usd inflation');
  return { currency: String(question.args.currency), indicator: String(question.args.indicator) };
}

/** The mirror of the sandbox, or the named mirror. */
async function openSynthetic(app: App): Promise<Mirror> {
  const { platform, settings } = app;
  const path =
    settings.mirror.from === '--mirror' ? settings.mirror.value : join(settings.folders.mirrors, SANDBOX_FILE);
  if (!isServerAddress(path) && !platform.files.exists(path))
    throw new MacroError('notFound', `There is no mirror of generated data at ${path}.`, {
      code: 'no_mirror',
      hint: 'macro serve --sandbox makes one, and serves it.',
    });
  const mirror = await app.openMirror({ path, mode: app.isDryRun ? 'read' : 'write' });
  const { nature = 'no' } = await mirror.stamp();
  if (nature === 'synthetic') return mirror;
  throw new MacroError('mirror', `The mirror ${path} has ${nature} data, and a trigger makes data up.`, {
    code: 'mirror_nature',
    hint: 'Leave out --mirror to use that of macro serve --sandbox.',
  });
}

function readVal(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const val = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(val)) return val;
  throw new MacroError('usage', `'${text}' is no number for --val.`, { hint: 'For example: --val 3.4' });
}
