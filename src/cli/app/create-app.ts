import { dirname, resolve } from 'node:path';
import { dateOf } from '../../contract/time/time.ts';
import { MacroError } from '../../errors.ts';
import type { GrowingFile, Platform } from '../../platform/platform.ts';
import { withTypedService } from '../messages/login-words.ts';
import { messageForm } from '../messages/message.ts';
import { openMessages } from '../messages/messages.ts';
import { keptFields } from '../output/fields.ts';
import { isFileFormat } from '../output/format.ts';
import { joinedText } from '../output/piece.ts';
import { renderPieces } from '../output/render.ts';
import { isOn, type Options, textOption } from '../parse/options.ts';
import { type App, fileOption, formatFor, textFormat, usesColor } from './app.ts';
import { createParts } from './app-parts.ts';
import { openChanges } from './changes.ts';
import { pagerFor } from './pager.ts';
import { unchangedPlatform } from './platforms/unchanged-platform.ts';
import { readSettings, type Settings } from './settings/settings.ts';

/**
 * Builds the app of one command. Nothing is opened yet.
 * @throws MacroError of kind `usage`.
 */
export function createApp(platform: Platform, options: Options, signal: AbortSignal): App {
  const { io, files, clock, cwd } = platform;
  const parts = createParts(platform, () => app);
  const messages = openMessages(platform, {
    form: messageForm(textOption(options, 'format')),
    quiet: isOn(options, 'quiet'),
    verbose: isOn(options, 'verbose'),
    spelled: (sentence) => withTypedService(sentence, options),
  });
  const changes = openChanges(options, messages);
  let resolved: Settings | undefined;
  const put = async (text: string, target: string | undefined) => {
    await messages.progress('');
    if (target === undefined) {
      const pager = isOn(options, 'no-pager') ? undefined : pagerFor(text, platform);
      if (pager !== undefined && (await platform.page(pager, text))) return;
      return io.stdout.write(text);
    }
    textFormat(formatFor(app));
    files.write(placeFor(target), text);
  };
  const placeFor = (target: string): string => {
    const path = resolve(cwd, target);
    if (files.exists(dirname(path))) return path;
    throw new MacroError('usage', `There is no folder ${dirname(path)}.`, { hint: 'Make it, or choose another.' });
  };
  /** Nobody sees the file under its name before all of it is there. */
  const writePieces = (target: string, pieces: Iterable<string | Uint8Array>) => {
    let file: GrowingFile | undefined;
    try {
      // What is refused is refused before a file is made.
      for (const piece of pieces) {
        file ??= files.grow(placeFor(target));
        file.write(typeof piece === 'string' ? Buffer.from(piece) : piece);
      }
      file ??= files.grow(placeFor(target));
      file.finish();
    } finally {
      file?.discard();
    }
  };
  const app: App = {
    ...messages,
    ...parts,
    ...changes,
    platform: changes.isDryRun ? unchangedPlatform(platform) : platform,
    options,
    signal,
    get settings() {
      resolved ??= readSettings(platform, options);
      return resolved;
    },
    get today() {
      return dateOf(clock.now());
    },
    async print(listing) {
      const target = fileOption(options);
      const toTerminal = target === undefined && io.stdout.isTerminal;
      const format = formatFor(app);
      const { value: fields } = app.settings.fields;
      const shape = {
        fields: options.fields === undefined ? keptFields(listing, fields ?? []) : fields,
        sort: textOption(options, 'sort'),
        reverse: isOn(options, 'reverse'),
      };
      if (target !== undefined && isFileFormat(format)) {
        const { fileOf } = await import('../output/files/file.ts');
        files.write(placeFor(target), await fileOf(listing, { ...shape, format, now: clock.now() }));
        return;
      }
      const pieces = await renderPieces(listing, {
        ...shape,
        format: textFormat(format),
        header: !isOn(options, 'no-header'),
        color: target === undefined && usesColor(platform, options, io.stdout),
        toTerminal,
        width: toTerminal ? io.stdout.columns : undefined,
      });
      if (toTerminal) return put(joinedText(pieces), target);
      await messages.progress('');
      if (target !== undefined) return writePieces(target, pieces);
      for (const piece of pieces) await io.stdout.write(piece);
    },
    printText: (text) => put(`${text.trimEnd()}\n`, fileOption(options)),
  };
  return app;
}
