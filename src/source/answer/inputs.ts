import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { isSameForAll, releaseCutoff } from '../../contract/access.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Caller } from '../../contract/hooks.ts';
import type { Args } from '../../contract/params/param.ts';
import { dateOf } from '../../contract/time/time.ts';
import { questionText } from '../question.ts';

/** The question and page of an envelope, as one text. Unchanged, the received envelope is served again. */
export function captureInputs(endpoint: Endpoint, given: Args, access: 'keyless' | 'keyed', now: number): string {
  const moment = access === 'keyless' && endpoint.access.delayed ? releaseCutoff(Math.floor(now / 1000)) : dateOf(now);
  // A pin that was accepted changes nothing about the answer.
  const args = { ...given, dataset_version: undefined };
  const question = questionText(endpoint, args, 'without paging');
  return `${access} ${moment} ${question} ${questionText(endpoint, args, 'paging only')}`;
}

/** How far an envelope that was received for `inputs` describes the answer to `wanted`. */
export function inputsMatch(inputs: string, expected: string): 'page' | 'question' | 'nothing' {
  if (inputs === expected) return 'page';
  const question = (text: string) => text.slice(0, text.lastIndexOf(' '));
  return question(inputs) === question(expected) ? 'question' : 'nothing';
}

/** The accesses whose captures a caller may be shown: a person reading their own mirror may see all of them. */
export function captureAccesses(endpoint: Endpoint, caller: Caller): readonly ('keyless' | 'keyed')[] {
  if (isSameForAll(endpoint.access)) return ['keyless'];
  if (caller.kind === 'owner') return ['keyed', 'keyless'];
  return [caller.kind];
}

/** The inputs of an ETag. */
export interface Identity {
  readonly endpoint: Endpoint;
  readonly args: Args;
  readonly caller: Caller;
  readonly cutoff: number | undefined;
  /** States of all series read, and whatever else moves the answer. */
  readonly state: readonly (string | number)[];
  readonly now: number;
  /** Hexadecimal SHA-256 of a text; our own where the program has none loaded. */
  readonly sha256?: ((text: string) => string) | undefined;
}

/** Weak validator of an answer, with the UTC date, since lags and windows move, and the page's place, undigested. */
export function etagOf(identity: Identity): string {
  return etagOfPage(questionDigest(identity), identity.args);
}

/** The common part of the validators of all pages of a question. */
export function questionDigest(identity: Identity): string {
  return digest(questionParts(identity), identity).slice(0, 32);
}

/** The inputs of all pages of a question, before they are digested. */
function questionParts({ endpoint, args, caller, cutoff, state, now }: Identity): readonly (string | number)[] {
  const plan = caller.kind === 'keyed' ? caller.plan : '';
  const isPaged = typeof args.limit === 'number' && typeof args.offset === 'number';
  const question = questionText(endpoint, { ...args, ...(isPaged && { limit: undefined, offset: undefined }) }, 'all');
  return [question, caller.kind, plan, cutoff ?? '', dateOf(now), ...state];
}

/** Hexadecimal digits of a page in its validator: four of the limit, twelve of the offset. */
const LIMIT_DIGITS = 4;
const OFFSET_DIGITS = 12;

/** The validator of one page. */
function etagOfPage(digested: string, { limit, offset }: Args): string {
  if (typeof limit !== 'number' || typeof offset !== 'number') return `W/"${digested}"`;
  const place = `${hexOf(limit, LIMIT_DIGITS)}${hexOf(offset, OFFSET_DIGITS)}`;
  return `W/"${digested.slice(0, -place.length)}${place}"`;
}

const hexOf = (count: number, digits: number): string => count.toString(16).padStart(digits, '0');

export function digest(parts: readonly (string | number)[], { sha256: given }: Pick<Identity, 'sha256'>): string {
  const text = JSON.stringify(parts);
  // Node's own module of cryptography takes longer to load than the rest of an answer from the mirror.
  return given ? given(text) : bytesToHex(sha256(utf8ToBytes(text)));
}
