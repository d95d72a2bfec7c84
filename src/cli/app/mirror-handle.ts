import { loadEndpoints } from '../../endpoints/find.ts';
import { MacroError } from '../../errors.ts';
import { type OpenEngineOptions, openEngine } from '../../library/mirror/open-engine.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import { damaged } from '../../mirror/sqlite/failures.ts';
import type { Platform } from '../../platform/platform.ts';
import { LABELS } from '../../source/labels.ts';
import { createMirrorSource, type MirrorSourceOptions } from '../../source/mirror.ts';
import type { NamedMirror } from '../../source/named-service.ts';
import type { Source } from '../../source/source.ts';

export interface OpenHandleOptions extends OpenEngineOptions {
  /** The service that questions name. */
  readonly service?: string | undefined;
  readonly onUncovered?: MirrorSourceOptions['onUncovered'];
}

export interface MirrorHandle extends NamedMirror {
  readonly source: Source;
}

export async function openMirrorHandle(
  platform: Platform,
  { onUncovered, service, ...ask }: OpenHandleOptions,
): Promise<MirrorHandle> {
  const mirror = await openEngine(platform, ask);
  const named = { mirror, service };
  return { ...named, source: createMirrorSource({ ...named, labels: LABELS, onUncovered }) };
}

/** Explains an unexpected error by a damaged mirror: text of a damaged file need not be JSON, and looks like a bug. */
export async function explainDamage(error: unknown, mirrors: readonly Mirror[], signal: AbortSignal): Promise<unknown> {
  for (const mirror of mirrors) {
    const damage = await damageIn(mirror, signal);
    if (damage !== undefined) return damaged(mirror.name, damage, error instanceof Error ? error : undefined);
  }
  return error;
}

/** The first problem of a mirror; undefined if it is sound or cannot be checked now. */
async function damageIn(mirror: Mirror, signal: AbortSignal): Promise<string | undefined> {
  try {
    await loadEndpoints();
    const { findings } = await mirror.verify({ signal });
    return findings.find(({ level }) => level === 'problem')?.detail;
  } catch (failure) {
    const isDamage = failure instanceof MacroError && failure.code === 'mirror_damaged';
    // The check reads texts as well.
    return isDamage || failure instanceof SyntaxError ? 'a check of it found what cannot be read' : undefined;
  }
}
