import type { JournalEvent } from '../../mirror/api/journal.ts';

/** Deals with one event; gives why it could not, as a sentence without its full stop. What it throws ends the consumer. */
export type Handler = (event: JournalEvent) => Promise<string | undefined>;
