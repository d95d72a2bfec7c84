import { isSameForAll } from '../contract/access.ts';
import type { Mapping } from '../contract/mapping.ts';
import { addDays, BEGINNING, dateOf } from '../contract/time.ts';
import { endpointById } from '../endpoints/index.ts';
import type { AccessTag, HeldSeries, Proof } from '../mirror/mirror.ts';
import type { MirrorQuestion } from './answer.ts';
import { covers, coversSpan, listSpan, OPEN_END } from './coverage.ts';
import { boundsOf } from './selection.ts';

export type ProvenQuestion = Pick<MirrorQuestion, 'question' | 'visible' | 'reader' | 'now'>;

/**
 * When the newest part of what a series gives to the asked window was last proven to be held, in milliseconds; undefined
 * when some of it is not proven at all under this access. Older parts may have been proven longer ago: publishers correct
 * only what is recent, and the head of a history is proven again as far back as that. Nothing can be proven of lists that
 * go on from a position.
 */
export async function provenAt(ask: ProvenQuestion, held: HeldSeries, access: AccessTag): Promise<number | undefined> {
  const endpoint = endpointById(held.endpoint);
  const mapping = endpoint?.mirror;
  if (!endpoint || !mapping) return undefined;
  // What a key changes nothing about, and what a file said, is the same for everybody.
  const isForAll = isSameForAll(endpoint.access) || held.origin.startsWith('import:');
  const proofs = await ask.reader.proofs(held, isForAll ? 'keyless' : access);
  switch (mapping.sync.kind) {
    case 'document':
    case 'snapshot':
      return newest(proofs);
    case 'pages':
      return covers(proofs, { ...listSpan(ask.now), isOpen: true }) ? newest(proofs) : undefined;
    case 'window':
    case 'spans':
      return spanProvenAt(ask, mapping, proofs);
    case 'history':
      return historyProvenAt(ask, { held, mapping, proofs });
    default:
      return undefined;
  }
}

function spanProvenAt(
  { visible, now }: ProvenQuestion,
  mapping: Mapping,
  proofs: readonly Proof[],
): number | undefined {
  const bounds = mapping.window ? boundsOf(mapping.window, visible.args, now) : {};
  const from = Number(bounds.from ?? 0);
  // A span that ends now is open: what comes later is a matter of freshness. A schedule has no end at all.
  const isOpen = mapping.sync.kind === 'spans' && Number(bounds.to ?? 0) >= Math.floor(now / 1000);
  const span = { from, to: Number(bounds.to ?? OPEN_END), isOpen };
  if (!coversSpan(proofs, span)) return undefined;
  const whole = proofs.filter((proof) => Number(proof.from) <= from && coversSpan([proof], span));
  return newest(whole) ?? oldest(proofs);
}

function historyProvenAt(
  { question, visible, now }: ProvenQuestion,
  { held, mapping, proofs }: { held: HeldSeries; mapping: Mapping; proofs: readonly Proof[] },
): number | undefined {
  const today = dateOf(now);
  const bounds = mapping.window ? boundsOf(mapping.window, visible.args, now) : {};
  const isOwn = held.endpoint === question.endpoint.id;
  const to = String(bounds.to ?? today);
  // A question without a window wants the newest rows of other endpoints' series.
  const from = String(bounds.from ?? (isOwn ? BEGINNING : to));
  const isOpen = to === today;
  if (!covers(proofs, { from, to, isOpen })) return undefined;
  const revisionDays = mapping.sync.kind === 'history' ? mapping.sync.revisionDays : 0;
  const end = to < today ? to : today;
  const recent = addDays(end, -revisionDays);
  const part = { from: from > recent ? from : recent, to, isOpen };
  return newest(proofs.filter((proof) => covers([proof], part))) ?? oldest(proofs);
}

function newest(proofs: readonly Proof[]): number | undefined {
  return proofs.length === 0 ? undefined : Math.max(...proofs.map((proof) => proof.provenAt));
}

function oldest(proofs: readonly Proof[]): number | undefined {
  return proofs.length === 0 ? undefined : Math.min(...proofs.map((proof) => proof.provenAt));
}
