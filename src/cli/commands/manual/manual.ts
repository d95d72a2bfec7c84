import { hintFor } from '../../../contract/words/nearest.ts';
import { MacroError } from '../../../errors.ts';
import { type App, usesColor } from '../../app/app.ts';
import { terminalText } from '../../docs/terminal-text.ts';
import { listOwn } from '../../output/own-listing.ts';
import type { Call } from '../command.ts';
import { manualTopics } from './topics.ts';

/** Lines of prose are read up to this width; a wider terminal has room to spare. */
const MAX_COLUMNS = 100;

/** Shows a page of the manual, in a pager where it is longer than the screen; without words the list of pages. */
export async function showManual(app: App, call: Call): Promise<void> {
  const topics = manualTopics();
  if (call.words.length === 0) {
    const rows = topics.map(({ topic, about }) => ({ topic, about }));
    const title = ['The manual', `${rows.length} pages`, 'macro manual TOPIC shows one'];
    return app.print(listOwn({ columns: ['topic', 'about'], rows, title }));
  }
  const typed = call.words.join(' ').toLowerCase();
  const page = topics.find(({ topic }) => topic === typed || topic === typed.replaceAll(' ', '-'));
  if (!page)
    throw unknownTopic(
      typed,
      topics.map(({ topic }) => topic),
    );
  const { stdout } = app.platform.io;
  const columns = Math.min(MAX_COLUMNS, stdout.isTerminal ? stdout.columns : MAX_COLUMNS);
  await app.printText(terminalText(page.text(), { columns, color: usesColor(app.platform, app.options, stdout) }));
}

function unknownTopic(typed: string, topics: readonly string[]): MacroError {
  return new MacroError('usage', `The manual has no page '${typed}'.`, {
    code: 'unknown_topic',
    hint: hintFor(typed, topics, 'macro manual lists the pages; macro search looks words up.'),
  });
}
