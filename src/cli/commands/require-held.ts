import { MacroError } from '../../errors.ts';
import type { App, MirrorSide } from '../app.ts';

/** The mirror for reading, for commands that are about nothing else. */
export async function requireHeld(app: App): Promise<MirrorSide> {
  const held = await app.held();
  if (held) return held;
  throw noMirror(app.settings.mirror.value);
}

export function noMirror(path: string): MacroError {
  return new MacroError('notFound', `There is no mirror at ${path}.`, {
    code: 'no_mirror',
    hint: 'Fill one with macro sync or macro import, or name one with --mirror FILE.',
  });
}
