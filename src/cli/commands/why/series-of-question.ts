// Which series of the mirror an answer is made of.
import type { Compose } from '../../../contract/hooks.ts';
import type { Args } from '../../../contract/params/params.ts';
import type { MirrorReader } from '../../../mirror/api/mirror.ts';
import type { StoredSeries } from '../../../mirror/api/series.ts';
import { findAll, selectStored } from '../../../source/answer/pick.ts';
import { notMirrored } from '../../../source/coverage/not-mirrored.ts';
import type { Question } from '../../../source/source.ts';

/**
 * The series that the answer would be made of. Throws where none is mirrored.
 * @throws MacroError of kind `notFound`.
 */
export async function seriesOfAnswer(reader: MirrorReader, question: Question): Promise<readonly StoredSeries[]> {
  const { endpoint, args } = question;
  const compose: Compose<Args> | undefined = endpoint.compose;
  const scope = Object.fromEntries(Object.keys(endpoint.at).map((name) => [name, String(args[name])]));
  const found = await (compose
    ? selectStored(reader, compose, args)
    : findAll(reader, [{ endpoint: endpoint.id, scope }]));
  if (found.length === 0) throw notMirrored(question);
  return found;
}
