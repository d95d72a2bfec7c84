import { wordList } from '../../contract/words/words.ts';
// A question whose mirror has nothing of it may be answered by another mirror of this person: moving to a profile hides no data.

import { join } from 'node:path';
import { hinted, MacroError, unlessRefused } from '../../errors.ts';
import { isServerAddress } from '../../mirror/rules/engine.ts';
import type { Files, Platform } from '../../platform/platform.ts';
import type { Call, CommandSpec } from '../commands/command.ts';
import { UNFILLED } from '../print/messages.ts';
import { capturedPlatform, unchangedPlatform } from './platforms.ts';
import type { Settings } from './settings.ts';

/** Mirrors that are asked, at most: each is opened for it. */
const MAX_MIRRORS = 12;

/** Options left out when another mirror is asked: they choose the output or the first mirror. */
const LEFT_OUT = wordList('mirror output format chart title size theme live trace record replay quiet verbose offline');

export interface RefusedQuestion {
  readonly platform: Platform;
  readonly settings: Settings;
  readonly spec: CommandSpec;
  readonly call: Call;
  readonly signal: AbortSignal;
  readonly run: (argv: readonly string[], platform: Platform, signal: AbortSignal) => Promise<void>;
}

/** The refusal, with the option that reaches a mirror that answers; as it was where there is none. */
export async function withOtherMirror(error: unknown, refused: RefusedQuestion): Promise<unknown> {
  if (!(error instanceof MacroError) || !UNFILLED.includes(error.code) || refused.spec.changes) return error;
  if (refused.settings.mirror.from === '--mirror') return error;
  for (const path of otherMirrors(refused)) {
    const found = await askThere(refused, path);
    if (!found) continue;
    const made = found.isSynthetic ? ', as synthetic data' : '';
    return hinted(error, `Another mirror has it${made}: add --mirror ${path}. ${error.hint ?? ''}`.trim());
  }
  return error;
}

/** Files of the folder of mirrors, and files that profiles name. A server is not asked for this. */
function otherMirrors({ platform: { files }, settings }: RefusedQuestion): readonly string[] {
  const { folders, config, mirror } = settings;
  const named = Object.values(config.profiles).flatMap((profile) => profile.mirror ?? []);
  const all = [...new Set([...mirrorsIn(folders.mirrors, files), ...named.filter((path) => !isServerAddress(path))])];
  return all.filter((path) => path !== mirror.value && files.exists(path)).slice(0, MAX_MIRRORS);
}

export function mirrorsIn(folder: string, files: Files): readonly string[] {
  const names = files.exists(folder) ? files.list(folder) : [];
  return names.filter((name) => /^[^.].*\.db$/.test(name)).map((name) => join(folder, name));
}

/** Asks the same of another mirror, for its rows alone: nothing is sent, written or shown. */
async function askThere({ platform, spec, call, signal, run }: RefusedQuestion, path: string) {
  const captured = capturedPlatform(unchangedPlatform(platform));
  const only = ['offline', 'allow-partial'].filter((name) => spec.options.some((option) => option.name === name));
  const words = [...spec.path, ...call.words, ...typedOptions(call), ...only.map((name) => `--${name}`)];
  const ask = async () => {
    await run([...words, '--mirror', path, '--format', 'json'], captured.platform, signal);
    return { isSynthetic: captured.err().includes('"code":"synthetic"') };
  };
  return unlessRefused(ask, () => undefined);
}

function typedOptions({ options }: Call): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || LEFT_OUT.includes(name) || name === 'allow-partial') return [];
    if (value === true) return [`--${name}`];
    return [value].flat().map((one) => `--${name}=${one}`);
  });
}
