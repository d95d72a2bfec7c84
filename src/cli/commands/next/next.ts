import { waitText } from '../../../client/text.ts';
import { isJsonObject, type Json, type JsonObject, readJson } from '../../../contract/json/json.ts';
import { isoSeconds } from '../../../contract/time/time.ts';
import calendar from '../../../endpoints/calendar/calendar.ts';
import { MacroError } from '../../../errors.ts';
import type { App } from '../../app/app.ts';
import { warnSynthetic } from '../../app/data-kind.ts';
import { endIfPartial } from '../../messages/partial.ts';
import { listOwn } from '../../output/own-listing.ts';
import { textOption } from '../../parse/options.ts';
import { readQuestion } from '../../parse/question.ts';
import type { Call } from '../command.ts';
import { answerQuestion } from '../endpoint/answer-question.ts';
import { noteBinding } from '../endpoint/binding.ts';

const COLUMNS = ['in', 'announcement_datetime', 'local', 'indicator', 'name', 'event_importance', 'confirmed'] as const;
/** Left out of a narrow table, the first one first. */
const SPARE = ['confirmed', 'name', 'local', 'event_importance'] as const;
const DEFAULT_LIMIT = 10;

/** Prints the releases of a currency that are next, with the time that is left; of one indicator when it is named. */
export async function showNext(app: App, call: Call): Promise<void> {
  const [currency, indicator, ...rest] = call.words;
  if (currency === undefined || rest.length > 0)
    throw new MacroError('usage', 'macro next takes a currency and, if only one series matters, its indicator.', {
      code: 'bad_words',
      hint: 'For example: macro next usd inflation',
    });
  const limit = readLimit(textOption(call.options, 'limit'));
  const now = app.platform.clock.now();
  const { limit: _, ...options } = call.options;
  const asked = readQuestion(
    calendar,
    { words: [currency], options: { ...options, ...(indicator !== undefined && { indicator }) } },
    { now, siblings: [] },
  );
  for (const warning of app.settings.warnings) await app.warn(warning, 'settings');
  for (const note of asked.notes) await app.note(note, 'about_question');
  const reply = await noteBinding(app, () =>
    answerQuestion(app, asked, { caller: { kind: 'owner' }, now, signal: app.signal }),
  );
  if (reply.synthetic) await warnSynthetic(app, 'times');
  const rows = releasesIn(reply.body, now / 1000).slice(0, limit);
  const title = ['Next releases', currency.toUpperCase(), ...(rows.length === 0 ? ['none is scheduled'] : [])];
  await app.print(
    listOwn({ columns: COLUMNS, spare: SPARE, rows, title, beside: { currency: currency.toUpperCase() } }),
  );
  await endIfPartial(app, reply);
}

/** Releases still ahead, the nearest first. */
function releasesIn(body: string, now: number) {
  const answer: Json = readJson(body);
  const data = isJsonObject(answer) && Array.isArray(answer.data) ? answer.data.filter(isJsonObject) : [];
  return data
    .filter((row) => momentOf(row) > now)
    .sort((a, b) => momentOf(a) - momentOf(b))
    .map((row) => ({
      in: waitText(momentOf(row) - now),
      announcement_datetime: isoSeconds(momentOf(row)),
      local: row.announcement_datetime_local ?? null,
      indicator: row.release ?? null,
      name: row.name ?? null,
      event_importance: row.event_importance ?? null,
      confirmed: row.release_date_confirmed ?? null,
      seconds_left: Math.round(momentOf(row) - now),
      reference_period: row.reference_period ?? null,
      calendar_event_id: row.calendar_event_id ?? null,
    }));
}

/** Unix seconds. */
const momentOf = ({ announcement_datetime: at }: JsonObject): number => (typeof at === 'number' ? at : 0);

function readLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new MacroError('usage', `'${text}' is no value for --limit.`, { hint: 'Give a whole number from 1.' });
}
