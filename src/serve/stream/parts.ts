import type { Journal } from '../../mirror/api/journal.ts';
import type { Source } from '../../source/source.ts';

/** What streams are read from. */
export interface StreamParts {
  readonly ask: Source['ask'];
  /** Undefined where nobody keeps one: then events come in the order of changes alone. */
  readonly journal: Pick<Journal, 'events' | 'event' | 'newest'> | undefined;
}
