import { unknownNote } from '../../../contract/params/read-params.ts';
import announcements from '../../../endpoints/announcements/series.ts';
import { MacroError } from '../../../errors.ts';
import { openFile } from '../../../imports/read/open-file.ts';
import { importCalendar } from '../../../imports/releases/import-calendar.ts';
import type { App } from '../../app/app.ts';
import { textOption } from '../../parse/options.ts';
import { readQuestion } from '../../parse/question.ts';
import type { Call } from '../command.ts';
import { onlyWord } from '../require.ts';
import { bytesOfFile } from './files.ts';

/** Imports the release times of some indicators of a currency. @throws MacroError of kind `usage`. */
export async function importReleases(app: App, call: Call): Promise<void> {
  const name = onlyWord(call, 'import calendar', 'FILE (- for standard input)');
  const now = app.platform.clock.now();
  const { currency, indicators } = subjectOf(textOption(call.options, 'as'), now);
  const file = openFile(await bytesOfFile(app, name));
  const done = await app.change(`import the release times of ${file.name}`, async () =>
    importCalendar({
      ...{ file, mirror: await app.writable(), currency, indicators, endpoint: announcements.id, now },
      match: textOption(call.options, 'match'),
      zone: textOption(call.options, 'zone'),
    }),
  );
  if (!done) return;
  const { releases, retimed, withoutTime, from, to } = done.result;
  if (withoutTime > 0)
    await app.note(`${withoutTime} events are left out: they have a day and no time.`, 'about_answer');
  const named = { currency: currency.toLowerCase(), indicators: indicators.join(',') };
  await app.list({
    rows: [{ file: file.name, ...named, releases, retimed, from, to }],
    title: [`Imported into ${app.settings.mirror.value}`],
  });
}

/** `usd inflation` or `usd non_farm_payrolls,unemployment`. */
function subjectOf(text: string | undefined, now: number) {
  const [currency = '', list = '', further] = (text ?? '')
    .trim()
    .replace(/^announcements\s+/, '')
    .split(/\s+/);
  const names = list.split(',').filter(Boolean);
  if (currency === '' || names.length === 0 || further !== undefined)
    throw new MacroError('usage', 'macro import calendar needs --as with a currency and its indicators.', {
      code: 'bad_option',
      hint: "For example: --as 'usd non_farm_payrolls,unemployment'",
    });
  const questions = names.map((name) =>
    readQuestion(announcements, { words: [currency, name], options: {} }, { now, siblings: [] }),
  );
  const [unknown] = questions.flatMap((one) => one.unknown);
  if (unknown) throw new MacroError('usage', unknownNote(unknown), { code: 'bad_option' });
  const args = questions.map(({ question }) => question.args);
  return { currency: String(args[0]?.currency), indicators: args.map(({ indicator }) => String(indicator)) };
}
