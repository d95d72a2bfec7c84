import { dirname, join } from 'node:path';
import type { Platform } from '../../../platform/platform.ts';
import { listOf, parseConfig, settingTexts } from './config-file.ts';

/** What a folder may say. Nothing here moves a key: no address, no mirror, no program. */
export interface ProjectSettings {
  readonly path: string;
  readonly format?: string;
  readonly fields?: string;
  readonly profile?: string;
  /** What is tracked in this folder, instead of what the profile tracks. */
  readonly selection?: readonly string[];
  /** Members that a folder may not set: ignored, with a warning. */
  readonly refused: readonly string[];
}

const NAME = '.macrorc.json';
const TEXTS = ['format', 'fields', 'profile'] as const;

/** The nearest project file from the working folder upwards. */
export function readProjectFile({ files, cwd }: Pick<Platform, 'files' | 'cwd'>): ProjectSettings | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, NAME);
    if (files.exists(path)) {
      const found = parseConfig(files.readText(path), path);
      const legal = new Set<string>([...TEXTS, 'selection']);
      const refused = Object.keys(found).filter((name) => !legal.has(name));
      const selection = listOf(found, 'selection', path);
      return { path, ...settingTexts(found, TEXTS, path), ...(selection && { selection }), refused };
    }
    if (dirname(folder) === folder) return undefined;
  }
}
