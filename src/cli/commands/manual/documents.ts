/** The documents about subjects, as text by name. The build puts the text in place of this file: a program brings its manual. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeFiles } from '../../../platform/node-files.ts';

const folder = fileURLToPath(new URL('../../../../docs', import.meta.url));

export const DOCUMENTS: Readonly<Record<string, string>> = Object.fromEntries(
  nodeFiles
    .list(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => [name.slice(0, -'.md'.length), nodeFiles.readText(join(folder, name))]),
);
