import type { CommandData } from './command.ts';
import { endpointCommandData } from './endpoint-commands.ts';
import { ownCommandData } from './nouns.ts';

/** A first word of own commands that endpoints have as well. */
const SHARED_WORD = 'settlement';

/** Every command as data, or those whose first word is `first`: only the file of that word is loaded. */
export async function commandData(first?: string): Promise<readonly CommandData[]> {
  const own = await ownCommandData(first);
  if (first !== undefined && first !== SHARED_WORD && own.length > 0) return own;
  const { ENDPOINTS } = await import('../../endpoints/index.ts');
  const meant = ENDPOINTS.filter(({ cli }) => first === undefined || cli?.words[0] === first);
  return [...meant.flatMap((endpoint) => endpointCommandData(endpoint) ?? []), ...own];
}
