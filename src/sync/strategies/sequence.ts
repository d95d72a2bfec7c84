import type { PaginationRun } from '../../mirror/api/pagination-run.ts';
import { commitOfAnswer } from '../../source/kept/write-through.ts';
import { questionText } from '../../source/question.ts';
import { namedBy, namesAll } from '../feeds.ts';
import type { Step } from '../plan/step.ts';
import { commit, currentSeries, type Pages, received, type Work } from '../work.ts';

/**
 * Continues after the last sequence that an earlier run reached. Rows are only ever added, and the position is committed
 * with the rows that lead to it and the series that they name, so a killed run goes on where it stopped and a gap between
 * two runs cannot arise.
 */
export async function* syncSequence(work: Work, _step: Step): Pages {
  const { target, client, mirror, clock, signal } = work;
  const { endpoint } = target;
  const position = await mirror.paginationRun(await currentSeries(work), work.access);
  const limit = endpoint.paging.kind === 'none' ? undefined : endpoint.paging.max;
  let args = { ...target.args, limit, after_sequence: Number(position?.next ?? 0) };
  let seen = position?.seen ?? 0;
  for await (const page of client.pages({ endpoint, args, ...(signal && { signal }) })) {
    work.counts.notes.push(...page.notes);
    seen += page.cut.rows.length;
    const request = args;
    args = { ...args, after_sequence: Math.max(args.after_sequence, ...page.cut.rows.map(sequenceOf)) };
    const walk: PaginationRun = {
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
    const named = position ? namedBy(endpoint, page.cut) : namesAll(endpoint);
    const { proof: _, ...rows } = commitOfAnswer(received(work, request, page), page.cut);
    // An end that more follow cannot be told from one behind which there is nothing.
    const isWhole = page.next === undefined && !work.counts.isPartial;
    const proof = { from: 0, to: args.after_sequence, rows: seen };
    await commit(work, { ...rows, paginationRun: walk, named, ...(isWhole && { proof }) });
    if (page.next === undefined) work.feed.until = clock.now();
    work.onPage({ seen, total: undefined });
    yield undefined;
  }

  function sequenceOf({ value }: { readonly value: Readonly<Record<string, unknown>> }): number {
    const number = value[endpoint.mirror?.key[0]?.name ?? ''];
    return typeof number === 'number' ? number : 0;
  }
}
