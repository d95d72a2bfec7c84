import { commandsUnder } from '../commands/tree.ts';
import { completionScript } from '../completion/script.ts';
import { SHELLS } from '../completion/shells.ts';
import { endpointTypeFiles } from './endpoint-types.ts';
import { manualPage } from './manual-page.ts';
import { fillTables } from './tables.ts';

const ENDINGS = { bash: 'bash', zsh: 'zsh', fish: 'fish', powershell: 'ps1' } as const;

/** Documents of which a marked part is made from the program. */
const DOCUMENTS = ['commands', 'endpoints', 'exit-codes', 'settings'].map((name) => `docs/${name}.md`);

/** Every committed file that is made from the program: its path and content. `read` gives a file as it is now. */
export function generatedFiles(read: (path: string) => string): Readonly<Record<string, string>> {
  const scripts = SHELLS.map((shell) => [
    `completions/macro.${ENDINGS[shell]}`,
    completionScript(shell, commandsUnder()),
  ]);
  const documents = DOCUMENTS.map((path) => [path, fillTables(read(path))]);
  return { 'man/macro.1': manualPage(), ...Object.fromEntries([...scripts, ...documents]), ...endpointTypeFiles() };
}
