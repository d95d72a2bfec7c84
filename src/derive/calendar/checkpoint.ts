import { createHash } from 'node:crypto';
import type { LoadedSeries } from '../../contract/hooks.ts';
import { PAGING_NAMES } from '../../contract/paging.ts';
import type { Args } from '../../contract/params/param.ts';
import { MacroError } from '../../errors.ts';

/** How long a checkpoint can be walked on; see docs/interface-endpoints.md#calendar-versions. */
const CHECKPOINT_SECONDS = 86_400;

/** The arguments by which a checkpointed answer is walked. */
export interface CheckpointArgs {
  readonly limit: number;
  readonly checkpoint?: string | undefined;
  readonly cursor?: string | undefined;
}

/** The state that all pages of a walk see: the number of the newest commit names it, the row count proves it. */
export interface Checkpoint {
  /** Unix seconds. */
  readonly minted: number;
  /** Newest commit that the walk sees. */
  readonly commit: number;
  /** Rows of the whole answer; undefined before the first page counted them. */
  readonly total: number | undefined;
  /** The question, without the place in the walk. */
  readonly question: string;
}

/** A checkpoint ages: a caller must not be answered "not modified" for a whole day. */
export function movesByTheHour(_args: unknown, { now }: { readonly now: number }): readonly number[] {
  return [Math.floor(now / 3600)];
}

/** The walk of a checkpoint, or a new one over all rows. @throws MacroError of kind `incomplete` or `usage`. */
export function openCheckpoint(
  args: Args & CheckpointArgs,
  { loaded, now }: { readonly loaded: readonly LoadedSeries[]; readonly now: number },
): Checkpoint {
  const question = questionHash(args);
  if (args.checkpoint === undefined) {
    if (args.cursor !== undefined) throw unknownPosition('A cursor goes with the checkpoint of its first page.');
    const commits = loaded.flatMap(({ rows }) => rows.map(({ commit = 0 }) => commit));
    const newest = commits.reduce((most, commit) => Math.max(most, commit), 0);
    return { minted: now, commit: newest, total: undefined, question };
  }
  const checkpoint = readCheckpoint(args.checkpoint);
  if (checkpoint.question !== question) throw unknownPosition('The checkpoint belongs to another question.');
  if (now - checkpoint.minted > CHECKPOINT_SECONDS) throw expired('The checkpoint is older than 24 hours.');
  return checkpoint;
}

/** The loaded series without the rows that came after the checkpoint. */
export function seenFrom(checkpoint: Checkpoint, loaded: readonly LoadedSeries[]): readonly LoadedSeries[] {
  const isSeen = ({ commit = 0 }: LoadedSeries['rows'][number]) => commit <= checkpoint.commit;
  return loaded.map((series) => ({ ...series, rows: series.rows.filter(isSeen) }));
}

/** Cuts a page out of a walk, with the members that continue it. @throws MacroError of kind `incomplete`. */
export function cutPage<T>(checkpoint: Checkpoint, args: CheckpointArgs, rows: readonly T[]) {
  const { total = rows.length } = checkpoint;
  if (total !== rows.length) throw expired('The state of this checkpoint can no longer be had.');
  const start = args.cursor === undefined ? 0 : readCursor(args.cursor, total);
  const page = rows.slice(start, start + args.limit);
  const end = start + page.length;
  return {
    rows: page,
    envelope: {
      checkpoint: args.checkpoint ?? writeCheckpoint({ ...checkpoint, total }),
      pagination: {
        limit: args.limit,
        returned_count: page.length,
        has_more: end < total,
        ...(end < total && { next_cursor: CURSOR + encode(String(end)) }),
      },
    },
  };
}

/** Marks of positions that a mirror gave: the service has its own, and neither can read those of the other. */
const CHECKPOINT = 'mcp1.';
const CURSOR = 'mcc1.';

export const isOwnPosition = (text: string): boolean => text.startsWith(CHECKPOINT) || text.startsWith(CURSOR);

function questionHash(args: Args): string {
  const question = Object.entries(args)
    .filter(([name, value]) => value !== undefined && !PAGING_NAMES.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(question)).digest('hex').slice(0, 16);
}

function writeCheckpoint({ minted, commit, total = 0, question }: Checkpoint): string {
  return CHECKPOINT + encode([minted, commit, total, question].join('.'));
}

function readCheckpoint(text: string): Checkpoint {
  const match = /^(\d{1,12})\.(\d{1,15})\.(\d{1,15})\.([0-9a-f]{16})$/.exec(decode(text, CHECKPOINT) ?? '');
  if (!match) throw unknownPosition(`'${text}' is no checkpoint of this server.`);
  const [, minted, commit, total, question = ''] = match;
  return { minted: Number(minted), commit: Number(commit), total: Number(total), question };
}

function readCursor(text: string, total: number): number {
  const decoded = decode(text, CURSOR) ?? '';
  const place = Number(decoded);
  if (!/^\d{1,15}$/.test(decoded) || place > total) throw unknownPosition(`'${text}' is no cursor of this walk.`);
  return place;
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** Decoding skips characters outside of base64url, so a valid text must encode back to itself. */
function decode(text: string, prefix: string): string | undefined {
  const encoded = text.startsWith(prefix) ? text.slice(prefix.length) : '';
  const decoded = Buffer.from(encoded, 'base64url').toString('utf8');
  return encoded !== '' && encode(decoded) === encoded ? decoded : undefined;
}

function unknownPosition(detail: string): MacroError {
  return new MacroError('usage', detail, {
    status: 400,
    code: 'invalid_cursor',
    hint: 'Send the checkpoint and the next_cursor of one walk together, or leave out both.',
  });
}

function expired(detail: string): MacroError {
  return new MacroError('incomplete', detail, {
    status: 409,
    code: 'checkpoint_expired',
    hint: 'Start the walk again without checkpoint and cursor.',
  });
}
