import type { LoadedSeries } from '../../contract/hooks.ts';
import { isJsonObject } from '../../contract/json/json.ts';
import type { CheckpointArgs } from '../checkpoint.ts';

/** True when the rows of a checkpointed series are all that the service listed: its last page came, and nothing is short. */
export function isComplete({ envelope, rows }: LoadedSeries): boolean {
  const { pagination, data_quality: quality } = envelope;
  if (!isJsonObject(pagination) || pagination.has_more !== false) return false;
  const rowCount = isJsonObject(quality) ? quality.row_count : undefined;
  return typeof rowCount !== 'number' || rowCount <= rows.length;
}

/** True when the stored answer was one page that is this very page: then it is served as it came. */
export function isThisPage({ envelope, rows }: LoadedSeries, args: CheckpointArgs): boolean {
  const { pagination } = envelope;
  if (args.checkpoint !== undefined || args.cursor !== undefined || !isJsonObject(pagination)) return false;
  return pagination.limit === args.limit && pagination.returned_count === rows.length;
}
