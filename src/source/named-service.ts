// A question that names a service gets the answers of that one, and what files say, which belong to no service.
import { MacroError } from '../errors.ts';
import type { Mirror, MirrorReader } from '../mirror/api/mirror.ts';
import type { Stamp, StoredSeries } from '../mirror/api/series.ts';
import { ofAnotherService } from '../mirror/rules/system-rows.ts';

/** A mirror, and the service that questions name: its scheme, host and port; undefined where they name none. */
export interface NamedMirror {
  readonly mirror: Mirror;
  readonly service?: string | undefined;
}

/** A reader of what a named service may answer from. */
export interface OwnReader {
  readonly reader: MirrorReader;
  /** Series of another service are left out. */
  readonly isNarrowed: boolean;
  /** Refuses an answer that found nothing but what another service said. */
  requireOwn(error?: unknown): void;
}

/** A reader of some series alone, and who has the others that it found. */
function narrowed(reader: MirrorReader, isOwn: (series: StoredSeries) => boolean) {
  const seen = { own: 0, others: new Set<string>() };
  const find: MirrorReader['find'] = async (ref, time) => {
    const found = await reader.find(ref, time);
    const left = found.filter(isOwn);
    seen.own += left.length;
    for (const series of found) if (!left.includes(series)) seen.others.add(series.origin.replace(/^import:/, ''));
    return left;
  };
  return { reader: { ...reader, find }, seen };
}

const isMissing = (error: unknown): boolean => error instanceof MacroError && error.kind === 'notFound';

/** Leaves out the series of another service. */
export function ownReader(reader: MirrorReader, stamp: Stamp, { mirror, service }: NamedMirror): OwnReader {
  if (!isOfAnother(stamp, service)) return { reader, isNarrowed: false, requireOwn: () => undefined };
  const own = narrowed(reader, isOfFile);
  return {
    isNarrowed: true,
    reader: own.reader,
    requireOwn(error) {
      if (own.seen.others.size > 0 && (isMissing(error) || own.seen.own === 0))
        throw ofAnotherService(mirror.name, stamp.service, service);
    },
  };
}

/** The mirror without what another service said; where a series is only of that, it is refused. */
export async function ownMirror(named: NamedMirror): Promise<Mirror> {
  const { mirror } = named;
  const stamp = await mirror.stamp();
  if (!isOfAnother(stamp, named.service)) return mirror;
  const own = <Reader extends MirrorReader>(reader: Reader) => {
    const { reader: left, requireOwn } = ownReader(reader, stamp, named);
    const find: MirrorReader['find'] = async (ref, time) => {
      const found = await left.find(ref, time);
      requireOwn();
      return found;
    };
    return { ...reader, ...left, find };
  };
  return { ...mirror, ...own(mirror), snapshot: (read) => mirror.snapshot((reader) => read(own(reader))) };
}

/** @throws MacroError of kind `mirror` for a mirror with answers of another service */
export async function requireOwnService({ mirror, service }: NamedMirror): Promise<void> {
  const stamp = await mirror.stamp();
  if (isOfAnother(stamp, service)) throw ofAnotherService(mirror.name, stamp.service, service);
}

function isOfAnother({ service: bound }: Stamp, service: string | undefined): service is string {
  return service !== undefined && bound !== undefined && bound !== service;
}

/** Is this the origin that a person names: `ECB` for `import:ECB`, `service` for the service? */
function isOrigin(origin: string, name: string): boolean {
  const [own, wanted] = [origin.toLowerCase(), name.toLowerCase()];
  return own === wanted || own === `import:${wanted}` || (wanted === 'service' && !own.startsWith('import:'));
}

/** A reader of one origin alone, and what refuses an answer that found nothing but others. */
export function originReader(whole: MirrorReader, name: string) {
  const { reader, seen } = narrowed(whole, ({ origin }) => isOrigin(origin, name));
  return {
    reader,
    explain(error: unknown): unknown {
      if (!isMissing(error) || seen.own > 0 || seen.others.size === 0) return error;
      return new MacroError('notFound', `${name} has no series of this question.`, {
        status: 404,
        code: 'unknown_origin',
        hint: `The mirror has it of: ${[...seen.others].sort().join(', ')}.`,
      });
    },
  };
}

export const isOfFile = ({ origin }: StoredSeries): boolean => origin.startsWith('import:');
