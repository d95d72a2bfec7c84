// Answers that the mirror cannot compute, kept in memory as the service gave them.
import { freshFor, type Group } from '../../contract/endpoint.ts';
import { createColumns } from '../columns.ts';
import { type Question, type Reply, resolveAlias } from '../source.ts';
import { nameOfQuestion } from './service-asks.ts';

export interface PassedAnswers {
  /** An answer that is as fresh as rows of its endpoint have to be. `now` in milliseconds. */
  find(question: Question, now: number): Reply | undefined;
  put(question: Question, reply: Reply, now: number): void;
}

/** What these answer may change with any release. */
const RELEASED: ReadonlySet<Group> = new Set(['announcements', 'calendar', 'release-event delivery', 'settlement']);

/** Positions that mean the same as long as the answer is fresh. */
const STEADY: ReadonlySet<string> = new Set(['offset', 'vintage', 'none']);

/** Bytes of answers that are kept. */
const PASSED_BYTES = 16 * 1024 * 1024;

export function createPassedAnswers(): PassedAnswers {
  const kept = createColumns(PASSED_BYTES);
  return {
    find(question, now) {
      const found = kept.get<{ readonly reply: Reply; readonly until: number }>(nameOfQuestion(question));
      return found && now < found.until ? found.reply : undefined;
    },
    put(question, reply, now) {
      const { endpoint } = resolveAlias(question);
      if (!isRepeatable(question) || reply.shortfall) return;
      const until = now + freshFor(endpoint, now) * 1000;
      kept.put(nameOfQuestion(question), { reply, until }, reply.body.length);
    },
  };
}

function isRepeatable(question: Question): boolean {
  const { group, paging, access } = resolveAlias(question).endpoint;
  return STEADY.has(paging.kind) && !RELEASED.has(group) && access.delayed !== true;
}
