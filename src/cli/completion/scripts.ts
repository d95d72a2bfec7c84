/** The completion script of each shell, which `npm run gen` makes. The build puts the text in place of this file. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeFiles } from '../../platform/node-files.ts';
import type { Shell } from './shells.ts';

const folder = fileURLToPath(new URL('../../../completions', import.meta.url));
const script = (name: string): string => nodeFiles.readText(join(folder, name));

export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: script('macro.bash'),
  zsh: script('macro.zsh'),
  fish: script('macro.fish'),
  powershell: script('macro.ps1'),
};
