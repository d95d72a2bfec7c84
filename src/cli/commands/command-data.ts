import { ENDPOINTS } from '../../endpoints/index.ts';
import type { CommandData } from './command.ts';
import { endpointCommandData } from './endpoint-commands.ts';
import { ownCommandData } from './nouns.ts';

/** Every command as data, or those whose first word is `first`: of the commands' own files only that one's is loaded. */
export async function commandData(first?: string): Promise<readonly CommandData[]> {
  const meant = ENDPOINTS.filter(({ cli }) => first === undefined || cli?.words[0] === first);
  return [...meant.flatMap((endpoint) => endpointCommandData(endpoint) ?? []), ...(await ownCommandData(first))];
}
