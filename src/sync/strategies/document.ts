import { commitOf } from '../../source/write-through.ts';
import { askChanged, commit, received, type Work } from '../work.ts';

/** One request gives a document, whose missing rows are gone, or a snapshot, which says nothing of earlier ones. */
export async function syncDocument(work: Work): Promise<void> {
  const { args } = work.target;
  const reply = await askChanged(work, args);
  if (reply) await commit(work, commitOf(received(work, args, reply)));
  work.onPage({ seen: 1, total: 1 });
}
