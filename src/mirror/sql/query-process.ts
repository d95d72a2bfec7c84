/** The built program has the module beside the bundle; the single executable, which has no files, puts itself in its place. */
export function queryProcess() {
  const name = import.meta.url.endsWith('.ts') ? './query-child.ts' : './query-child.js';
  return { module: new URL(name, import.meta.url), words: [] };
}
