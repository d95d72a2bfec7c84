// Spoils status, headers and body of an answer.
import { gzipSync } from 'node:zlib';
import { type CapturedAnswer, headerIn, withHeader } from './captured-answer.ts';
import { lieAbout } from './edit-page.ts';
import type { NamedFault } from './fault.ts';

export interface EditContext {
  /** As the caller sent it. */
  readonly url: string;
  readonly takesGzip: boolean;
  /** Milliseconds. */
  readonly now: number;
}

/** How an answer leaves: whole, cut off after so many bytes of its body, or with another length than it has. */
export interface SpoiledAnswer extends CapturedAnswer {
  readonly cutAfter: number | undefined;
  readonly hasWrongLength: boolean;
}

/** Spoils an answer with each of its faults, in their order. */
export function editAnswer(answer: CapturedAnswer, faults: readonly NamedFault[], context: EditContext): SpoiledAnswer {
  const whole: SpoiledAnswer = { ...answer, cutAfter: undefined, hasWrongLength: false };
  const start = { ...whole, headers: withHeader(whole.headers, 'Date', new Date(context.now).toUTCString()) };
  return faults.reduce((spoiled, { rule }) => editOnce(spoiled, rule, context), start);
}

function editOnce(answer: SpoiledAnswer, rule: NamedFault['rule'], context: EditContext): SpoiledAnswer {
  switch (rule.fault) {
    case 'page':
      if (answer.status !== 200 || headerIn(answer.headers, 'content-encoding') !== undefined) return answer;
      // A validator of a lie would make a cache keep it.
      return withBody({ ...answer, headers: withHeader(answer.headers, 'ETag', undefined) }, () =>
        lieAbout(answer.body, context.url, rule.as),
      );
    case 'clock-skew': {
      const date = new Date(context.now + rule.seconds * 1000).toUTCString();
      return { ...answer, headers: withHeader(answer.headers, 'Date', date) };
    }
    case 'truncated-gzip':
      return context.takesGzip && answer.body.length > 0 ? truncateGzip(answer, rule.bytes) : answer;
    case 'wrong-length': {
      const length = Math.max(0, answer.body.length + (rule.by ?? 10));
      if (answer.body.length === 0) return answer;
      return { ...answer, headers: withHeader(answer.headers, 'Content-Length', String(length)), hasWrongLength: true };
    }
    case 'reset':
      return { ...answer, cutAfter: rule.bytes ?? 0 };
    default:
      return answer;
  }
}

function truncateGzip(answer: SpoiledAnswer, bytes: number | undefined): SpoiledAnswer {
  const isPacked = headerIn(answer.headers, 'content-encoding') === 'gzip';
  const packed = isPacked ? answer.body : gzipSync(answer.body);
  const headers = withHeader(answer.headers, 'Content-Encoding', 'gzip');
  // The whole of it would be no fault.
  const kept = Math.min(bytes ?? Math.floor(packed.length / 2), packed.length - 1);
  return withBody({ ...answer, headers }, () => packed.subarray(0, kept));
}

function withBody(answer: SpoiledAnswer, edit: () => Buffer): SpoiledAnswer {
  if (answer.body.length === 0) return answer;
  const body = edit();
  return { ...answer, body, headers: withHeader(answer.headers, 'Content-Length', String(body.length)) };
}
