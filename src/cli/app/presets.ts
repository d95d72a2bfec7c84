// Services that can be chosen by a name: those of the package, and those of a file beside the settings.

import { join } from 'node:path';
import { checkPrefix } from '../../client/http/wire.ts';
import { isJsonObject } from '../../contract/json/json.ts';
import { hintFor } from '../../contract/words/nearest.ts';
import { MacroError } from '../../errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { brokenConfig, checkProfileName, type Folders, foldersOf, parseConfig, settingTexts } from './config-file.ts';
import packaged from './presets.json' with { type: 'json' };
import { checkBaseUrl } from './settings.ts';

/** The facts of a service before anybody chose it. Without an address the person gives it. */
export interface Preset {
  readonly name: string;
  readonly summary?: string;
  readonly baseUrl?: string;
  readonly streamUrl?: string;
  readonly headerPrefix?: string;
  /** The file that it stands in; undefined for those of the package. */
  readonly file?: string;
}

const MEMBERS = ['name', 'summary', 'baseUrl', 'streamUrl', 'headerPrefix'] as const;

/** Takes every other address. */
export const CUSTOM_PRESET = 'custom';

export function presetsPath(folders: Folders): string {
  return join(folders.config, 'presets.json');
}

/** All of them, those of the package first. @throws MacroError for a file that cannot be used */
export function readPresets(platform: Pick<Platform, 'files' | 'env' | 'cwd' | 'home' | 'os'>): readonly Preset[] {
  const { files } = platform;
  const path = presetsPath(foldersOf(platform));
  const own = files.exists(path) ? presetsIn(parseConfig(files.readText(path), path), path) : [];
  const known: Preset[] = [...presetsIn(packaged, 'the presets of the package')];
  for (const preset of own) {
    if (known.some(({ name }) => name === preset.name))
      throw brokenConfig(path, `there is a preset '${preset.name}' already`);
    known.push({ ...preset, file: path });
  }
  return known;
}

function presetsIn(found: unknown, path: string): readonly Preset[] {
  const list = isJsonObject(found) ? found.presets : undefined;
  if (!Array.isArray(list)) throw brokenConfig(path, "it has no list 'presets'");
  return list.map((one: unknown, place) => presetIn(one, `preset ${place + 1}`, path));
}

function presetIn(found: unknown, place: string, path: string): Preset {
  if (!isJsonObject(found)) throw brokenConfig(path, `${place} is not an object`);
  const odd = Object.keys(found).find((name) => !MEMBERS.some((known) => known === name));
  if (odd !== undefined) throw brokenConfig(path, `${place} has a member '${odd}'; members are ${MEMBERS.join(', ')}`);
  const { name, ...texts } = settingTexts(found, MEMBERS, path);
  if (name === undefined) throw brokenConfig(path, `${place} has no name`);
  const check = <T>(member: string, read: () => T): T => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof MacroError)) throw error;
      throw brokenConfig(path, `${member} of preset '${name}': ${error.message.replace(/\.$/, '')}`, error);
    }
  };
  check('name', () => checkProfileName(name));
  const { baseUrl, streamUrl, headerPrefix } = texts;
  return {
    name,
    ...texts,
    ...(baseUrl !== undefined && { baseUrl: check('baseUrl', () => checkBaseUrl(baseUrl)) }),
    ...(streamUrl !== undefined && { streamUrl: check('streamUrl', () => checkBaseUrl(streamUrl)) }),
    ...(headerPrefix !== undefined && { headerPrefix: check('headerPrefix', () => checkPrefix(headerPrefix)) }),
  };
}

/** @throws MacroError for a name that no preset has */
export function presetNamed(presets: readonly Preset[], name: string): Preset {
  const found = presets.find((preset) => preset.name === name.toLowerCase() || preset.name === name);
  if (found) return found;
  const names = presets.map((preset) => preset.name);
  throw new MacroError('usage', `There is no preset '${name}'.`, {
    code: 'unknown_preset',
    hint: hintFor(name, names, `Presets are ${names.join(', ')}. macro profile presets shows them.`),
  });
}
