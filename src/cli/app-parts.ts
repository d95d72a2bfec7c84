import { dirname } from 'node:path';
import { MacroError } from '../errors.ts';
import type { Mirror } from '../mirror/mirror.ts';
import type { Platform } from '../platform/platform.ts';
import type { LiveSide, MirrorSide } from './app.ts';
import { LABELS } from './labels.ts';
import { findKey } from './settings/keys.ts';
import type { Settings } from './settings/settings.ts';

export interface AppParts {
  live(): Promise<LiveSide | undefined>;
  held(): Promise<MirrorSide | undefined>;
  writable(): Promise<Mirror>;
  openMirror(path: string, mode: 'read' | 'write'): Promise<Mirror>;
  close(): Promise<void>;
}

/** The costly parts of an app: each module is loaded and each file opened on first use, once. */
export function createParts(platform: Platform, settings: () => Settings): AppParts {
  let writing: Promise<Mirror> | undefined;
  let reading: Promise<MirrorSide | undefined> | undefined;
  let asking: Promise<LiveSide | undefined> | undefined;
  const opened: Mirror[] = [];

  const open = async (path: string, mode: 'read' | 'write') => {
    const [{ openMirror }, { MAPPINGS }] = await Promise.all([
      import('../mirror/open.ts'),
      import('../endpoints/index.ts'),
    ]);
    if (mode === 'write') platform.files.makeFolder(dirname(path), 0o700);
    const mirror = await openMirror({ path, mappings: MAPPINGS, platform, mode });
    opened.push(mirror);
    return mirror;
  };
  const openToWrite = () => open(settings().mirror.value, 'write');
  const openToRead = async () => {
    if (!platform.files.exists(settings().mirror.value)) return undefined;
    const mirror = await open(settings().mirror.value, 'read');
    const { createMirrorSource } = await import('../source/mirror.ts');
    return { mirror, source: createMirrorSource({ mirror, labels: LABELS }) };
  };
  const openLive = async () => {
    const { baseUrl, headerPrefix, folders } = settings();
    if (baseUrl.value === undefined) return undefined;
    const found = findKey(platform, folders, baseUrl.value);
    const [{ createClient }, { createQuotaGate }, { createLiveSource }] = await Promise.all([
      import('../client/create.ts'),
      import('../client/gate.ts'),
      import('../source/live.ts'),
    ]);
    const client = createClient({
      platform,
      baseUrl: baseUrl.value,
      ...(found && { key: found.key }),
      gate: createQuotaGate({ clock: platform.clock, headerPrefix: headerPrefix.value }),
      headerPrefix: headerPrefix.value,
    });
    const mirror = await unlessBusy(parts.writable());
    return { client, mirror, source: createLiveSource({ client, ...(mirror && { mirror }) }) };
  };

  const parts: AppParts = {
    live: () => (asking ??= openLive()),
    held: () => (reading ??= openToRead()),
    writable: () => (writing ??= openToWrite()),
    openMirror: open,
    async close() {
      for (const mirror of opened.splice(0)) mirror.close();
    },
  };
  return parts;
}

/** An answer is worth more than its copy: while another run writes the mirror, answers are not kept. */
async function unlessBusy(opening: Promise<Mirror>): Promise<Mirror | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof MacroError && error.kind === 'busy') return undefined;
    throw error;
  }
}
