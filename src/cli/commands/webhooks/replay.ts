import { hintFor } from '../../../contract/words/nearest.ts';
import { MacroError } from '../../../errors.ts';
import { type Handler, type Replayed, replayEvent, setAside } from '../../../events/consume.ts';
import type { Journal, JournalEvent } from '../../../mirror/api/journal.ts';
import type { App } from '../../app/app.ts';
import { EVERYTHING } from '../../parse/event-filter.ts';
import type { Options } from '../../parse/options.ts';
import { listOwn } from '../../print/listing.ts';
import type { Call } from '../command.ts';
import { requireMirror } from '../mirror/require-held.ts';
import { readConsumer } from '../stream/consuming.ts';

const COLUMNS = ['event_id', 'outcome', 'problem'] as const;

/**
 * Tries each event once more; exit 10 when one of them still cannot be dealt with.
 * @throws MacroError of kind `incomplete`.
 */
export async function replayEvents(app: App, call: Call): Promise<void> {
  const { name, handle } = await readHandler(app, call.options);
  await requireMirror(app);
  const { journal } = app.isDryRun ? (await requireMirror(app)).mirror : await app.writable();
  const events = call.words.length > 0 ? await named(journal, call.words) : await asideOf(journal, name);
  const parts = { journal, clock: app.platform.clock, handle };
  const done: Replayed[] = [];
  for (const event of events) {
    app.signal.throwIfAborted();
    const replayed = await app.change(`give ${event.id} to ${name} again`, () => replayEvent(parts, name, event));
    if (replayed) done.push(replayed.result);
  }
  if (app.isDryRun) return;
  await app.print(listOwn({ columns: COLUMNS, rows: done.map(rowOf), title: [`Replayed to ${name}`] }));
  const failed = done.filter(({ error }) => error !== undefined).length;
  if (failed > 0)
    throw new MacroError('incomplete', `${failed} of ${done.length} events could not be dealt with.`, {
      code: 'not_handled',
      hint: 'They stay set aside; run it again when what they need is there.',
    });
}

async function readHandler(app: App, options: Options): Promise<{ readonly name: string; readonly handle: Handler }> {
  const { name, handle } = (await readConsumer(app, options, EVERYTHING)) ?? {};
  if (name !== undefined && handle) return { name, handle };
  throw new MacroError('usage', 'macro webhooks replay needs the command or the address that events are given to.', {
    hint: 'Give --exec CMD or --forward URL, and the --consumer NAME that set them aside.',
  });
}

/** What it set aside. A name that nobody has used is a mistyped one, and nothing to do would be no answer to it. */
async function asideOf(journal: Journal, name: string): Promise<readonly JournalEvent[]> {
  if (await journal.consumer(name)) return setAside(journal, name);
  const names = (await journal.consumers()).map((consumer) => consumer.name);
  throw new MacroError('notFound', `The journal knows no consumer ${name}.`, {
    code: 'unknown_consumer',
    hint: hintFor(name, names, 'macro journal --consumers lists those that it knows.'),
  });
}

async function named(journal: Journal, ids: readonly string[]): Promise<readonly JournalEvent[]> {
  const events: JournalEvent[] = [];
  for (const id of new Set(ids)) {
    const event = await journal.event(id);
    if (!event)
      throw new MacroError('notFound', `The journal has no event ${id}.`, {
        code: 'unknown_event',
        hint: 'macro journal lists those that it has.',
      });
    events.push(event);
  }
  return events;
}

function rowOf({ event, error }: Replayed) {
  return { event_id: event.id, outcome: error === undefined ? 'done' : 'failed', problem: error ?? null };
}
