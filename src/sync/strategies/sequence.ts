import type { Walk } from '../../mirror/mirror.ts';
import { questionText } from '../../source/question.ts';
import { commitOf } from '../../source/write-through.ts';
import { commit, currentSeries, received, type Work } from '../work.ts';

/**
 * Continues after the last sequence that an earlier run reached. Rows are only ever added, and the position is committed
 * with the rows that lead to it, so a killed run goes on where it stopped and a gap between two runs cannot arise.
 */
export async function syncSequence(work: Work): Promise<void> {
  const { target, client, mirror, clock, signal } = work;
  const { endpoint } = target;
  const position = await mirror.walk(await currentSeries(work), work.access);
  const limit = endpoint.paging.kind === 'none' ? undefined : endpoint.paging.max;
  let args = { ...target.args, limit, after_sequence: Number(position?.next ?? 0) };
  let seen = position?.seen ?? 0;
  for await (const page of client.pages({ endpoint, args, ...(signal && { signal }) })) {
    work.counts.requests += 1;
    work.counts.notes.push(...page.notes);
    seen += page.cut.rows.length;
    const asked = args;
    args = { ...args, after_sequence: Math.max(args.after_sequence, ...page.cut.rows.map(sequenceOf)) };
    const walk: Walk = {
      question: questionText(endpoint, target.args, 'without paging'),
      from: 0,
      to: args.after_sequence,
      next: page.next ?? String(args.after_sequence),
      total: undefined,
      seen,
      lastKey: undefined,
      seams: [],
      startedAt: position?.startedAt ?? clock.now(),
    };
    await commit(work, { ...commitOf(received(work, asked, page), page.cut), walk });
    work.onPage({ seen, total: undefined });
  }

  function sequenceOf({ value }: { readonly value: Readonly<Record<string, unknown>> }): number {
    const number = value[endpoint.mirror?.key[0]?.name ?? ''];
    return typeof number === 'number' ? number : 0;
  }
}
