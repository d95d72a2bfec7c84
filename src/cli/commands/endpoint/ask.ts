import { isAnsweredByClock } from '../../../contract/capabilities.ts';
import { endpointById } from '../../../endpoints/index.ts';
import type { AskContext } from '../../../source/source.ts';
import { type App, formatFor } from '../../app/app.ts';
import { warnSynthetic } from '../../app/data-kind.ts';
import { emptyWindowNotes } from '../../messages/empty-window.ts';
import { leftOutNotes } from '../../messages/left-out.ts';
import { endIfPartial } from '../../messages/partial.ts';
import { listAnswer } from '../../output/answer.ts';
import { cutReply } from '../../output/cut.ts';
import { indentJson } from '../../output/json.ts';
import type { Listing } from '../../output/listing.ts';
import { rowSchema } from '../../output/row-schema.ts';
import { isOn } from '../../parse/options.ts';
import { readQuestion } from '../../parse/question.ts';
import type { Call } from '../command.ts';
import { childWords } from '../tree.ts';
import { answerQuestion } from './answer-question.ts';
import { noteBinding } from './binding.ts';
import { isFromFile } from './held-facts.ts';
import { severalDates } from './several-dates.ts';
import { noteUnknown, withGuess } from './unknown-words.ts';

/** Where nobody says since when, the service tells the changes of a day, and so does the mirror. */
const LAST_DAY = 'These are the changes of the last 24 hours; another beginning has --since, as in: --since -7d';

/**
 * Any question to a source. Walk: words and options become a question; the source is chosen before anything is spent;
 * one page is asked for, or as many as it takes; notes go to stderr, rows to the output.
 */
export async function ask(app: App, call: Call, id: string): Promise<void> {
  const endpoint = endpointById(id);
  if (!endpoint) throw new Error(`No endpoint is called ${id}`);
  if (isOn(call.options, 'schema')) return app.printText(indentJson(JSON.stringify(rowSchema(endpoint))));
  const dates = id === 'curves' ? severalDates(call) : undefined;
  if (dates) return (await import('./ask-dates.ts')).askDates(app, call, endpoint, dates);
  const now = app.platform.clock.now();
  const parsed = readQuestion(endpoint, call, { now, siblings: childWords(endpoint.cli?.words ?? []) });
  const { asOf } = parsed;
  const context: AskContext = { caller: { kind: 'owner' }, now, signal: app.signal, ...(asOf && { asOf }) };
  for (const warning of app.settings.warnings) await app.warn(warning, 'settings');
  for (const note of parsed.notes) if (!parsed.unknown.includes(note)) await app.note(note, 'about_question');
  if (endpoint.paging.kind === 'cursor' && parsed.question.args.since === undefined)
    await app.note(LAST_DAY, 'about_question');
  const answered = await noteBinding(app, () => withGuess(app, parsed, () => answerQuestion(app, parsed, context)));
  const reply = cutReply(endpoint, answered, parsed.rows);
  if (reply.synthetic && !isAnsweredByClock(endpoint)) await warnSynthetic(app);
  const about = [...leftOutNotes(parsed.question, answered), ...emptyWindowNotes(parsed.question, answered, now)];
  for (const note of [...reply.notes, ...about]) await app.note(note, 'about_answer');
  const isHeld = reply.from === 'mirror';
  const imported = isHeld && (await isFromFile(app, parsed.question));
  const answer = listAnswer(parsed.question, reply, { now, imported });
  const withForecasts = isOn(call.options, 'forecasts')
    ? (await import('./beside-forecasts.ts')).besideForecasts(app, call, { parsed, reply, listing: answer, now })
    : { listing: answer, shortfall: reply.shortfall };
  const { listing, shortfall } = await withForecasts;
  if (isEmpty(listing)) await noteUnknown(app, parsed);
  await app.print(listing);
  if (parsed.rows.kind !== 'all' && call.options.limit === undefined) await tellMore(app, listing);
  await endIfPartial(app, { shortfall });
}

/**
 * A table says below its rows that there are more, and a body says it itself; rows in a file or a pipe say nothing, and the
 * service's own page must not pass for the range that was asked for.
 */
async function tellMore(app: App, { view }: Listing): Promise<void> {
  const format = formatFor(app);
  if (format === 'table' || format === 'chart' || format === 'json') return;
  for (const sentence of view?.below ?? []) await app.note(sentence, 'more_rows');
}

function isEmpty({ rows }: Listing): boolean {
  for (const _ of rows) return false;
  return true;
}
