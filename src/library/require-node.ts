import { MacroError } from '../errors.ts';
import type { Platform } from '../platform/platform.ts';

/** As `engines` of package.json says. */
const MIN_MAJOR = 22;
const MIN_MINOR = 19;

/**
 * Refuses a Node in which the driver of the database ends the whole process instead of failing.
 *
 * @throws A MacroError of the kind `usage`, with the code `old_node`.
 */
export function requireNode({ runtime }: Pick<Platform, 'runtime'>): void {
  const version = runtime.replace(/^\D+/, '');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > MIN_MAJOR || (major === MIN_MAJOR && minor >= MIN_MINOR)) return;
  throw new MacroError('usage', `A mirror needs Node ${MIN_MAJOR}.${MIN_MINOR} or newer; this is ${version}.`, {
    code: 'old_node',
    hint: 'Run your program with a newer Node.',
  });
}
