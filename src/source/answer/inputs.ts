import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { isSameForAll, releaseCutoff } from '../../contract/access.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import type { Caller } from '../../contract/hooks.ts';
import type { Args } from '../../contract/params/params.ts';
import { dateOf } from '../../contract/time/time.ts';
import { questionText } from '../question.ts';

/**
 * Everything that the members beside the rows depend on, as one text: while it is the same and no row has changed, the
 * service would send the same envelope, so the one it sent is served again, unknown members included. Two parts: the
 * question, and where in its pages.
 */
export function captureInputs(endpoint: Endpoint, asked: Args, access: 'keyless' | 'keyed', now: number): string {
  const moment = access === 'keyless' && endpoint.access.delayed ? releaseCutoff(Math.floor(now / 1000)) : dateOf(now);
  // A pin that was accepted changes nothing about the answer.
  const args = { ...asked, dataset_version: undefined };
  const question = questionText(endpoint, args, 'without paging');
  return `${access} ${moment} ${question} ${questionText(endpoint, args, 'paging only')}`;
}

/** How far an envelope that was received for `inputs` describes the answer to `wanted`. */
export function inputsMatch(inputs: string, wanted: string): 'page' | 'question' | 'nothing' {
  if (inputs === wanted) return 'page';
  const question = (text: string) => text.slice(0, text.lastIndexOf(' '));
  return question(inputs) === question(wanted) ? 'question' : 'nothing';
}

/** The accesses whose captures a caller may be shown: a person reading their own mirror may see all of them. */
export function captureAccesses(endpoint: Endpoint, caller: Caller): readonly ('keyless' | 'keyed')[] {
  if (isSameForAll(endpoint.access)) return ['keyless'];
  if (caller.kind === 'owner') return ['keyed', 'keyless'];
  return [caller.kind];
}

/** What an ETag or a dataset version is made of. */
export interface Identity {
  readonly endpoint: Endpoint;
  readonly args: Args;
  readonly caller: Caller;
  readonly cutoff: number | undefined;
  /** Generations of all series read, and whatever else moves the answer. */
  readonly state: readonly (string | number)[];
  readonly now: number;
  /** Newest release time (Unix seconds) that a caller inside the keyless delay may see: the cutoff alone moves no data. */
  readonly newestVisible?: number | undefined;
}

/**
 * Weak validator of an answer. The UTC date belongs to it, because lags and default windows move with the day.
 * Architecture, section 2.7.
 */
export function etagOf(identity: Identity): string {
  const { endpoint, args, caller, cutoff, state, now } = identity;
  const plan = caller.kind === 'keyed' ? caller.plan : '';
  const parts = [questionText(endpoint, args, 'all'), caller.kind, plan, cutoff ?? '', dateOf(now), ...state];
  return `W/"${digest(parts).slice(0, 32)}"`;
}

/** Version of the data behind all pages of a question: no page is needed to know it. */
export function datasetVersionOf(identity: Identity): string {
  const { endpoint, args, caller, newestVisible, state } = identity;
  const access = caller.kind === 'keyless' ? 'keyless' : 'keyed';
  return digest([questionText(endpoint, args, 'without paging'), access, newestVisible ?? '', ...state]);
}

function digest(parts: readonly (string | number)[]): string {
  // Node's own module of cryptography takes longer to load than the rest of an answer from the mirror.
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(parts))));
}
