// How the endpoints are bundled: each group of them is a file, which is loaded when one of them is looked at.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { exportsOf, reachedFrom, root } from './sources.mjs';

/** The group that most questions are about: it comes with the lists, for a file of its own costs a start some milliseconds. */
const NEAREST = 'endpoints-fx';
const ENDPOINTS = join(root, 'src', 'endpoints', 'index.ts');

/**
 * A question needs one endpoint, or a few. The lists of all of them are the same in the bundle, but their items are loaded,
 * at once, with the first one of their group that is looked at. `before`: the files that are loaded by then.
 */
export function endpointsAfter(before) {
  return {
    name: 'endpoints',
    setup(hooks) {
      hooks.onLoad({ filter: /endpoints\/index\.ts$/ }, async () => ({ loader: 'js', contents: await lists() }));
      // Not an import of the file that is bundled, but a request to the one that will be there when the program runs.
      hooks.onResolve({ filter: /^\.\/endpoints-\w+\.js$/ }, ({ path }) => ({ path, external: true }));
      hooks.onResolve({ filter: /^endpoints-\w+$/ }, ({ path }) => ({ path, namespace: 'endpoint-group' }));
      hooks.onLoad({ filter: /.*/, namespace: 'endpoint-group' }, ({ path }) => ({
        resolveDir: root,
        contents: [...membersOf(path), ...before.map((file) => `import ${JSON.stringify(file)};`)].join('\n'),
      }));
    },
  };
}

/** Entries of the bundle: nothing but a `require` leads to them. */
export const ENDPOINT_GROUPS = Object.fromEntries(
  endpointFiles().flatMap((file) => (groupOf(file) === NEAREST ? [] : [[groupOf(file), groupOf(file)]])),
);

/** Files that endpoints of several groups import. Whoever loads groups imports them, so that no two groups share a file besides. */
export function sharedByGroups() {
  const times = new Map();
  for (const files of Map.groupBy(endpointFiles(), groupOf).values()) {
    const reached = files.reduce((all, file) => reachedFrom(file, all), new Set());
    for (const file of reached) times.set(file, (times.get(file) ?? 0) + 1);
  }
  return [...times].filter(([file, count]) => count > 1 && file.startsWith(root)).map(([file]) => file);
}

async function lists() {
  const { INTERFACE, ENDPOINTS: served, MAPPINGS } = await exportsOf(ENDPOINTS);
  const files = endpointFiles();
  // A group is asked for a hundred times in an answer, and every `require` of it takes a microsecond.
  const holder = (file) => {
    const group = groupOf(file);
    return group === NEAREST ? 'nearest' : `(loaded['${group}'] ??= require('./${group}.js'))`;
  };
  const getters = INTERFACE.map(({ id }, i) => `get ${id}() { return ${holder(files[i])}[${i}]; }`);
  const idsOf = (list) => JSON.stringify(list.map(({ id }) => id));
  return `
    import * as nearest from '${NEAREST}';
    const loaded = {};
    const made = { ${getters.join(',\n')} };
    const listOf = (ids) => Object.defineProperties([], Object.fromEntries(ids.map((id, place) => [place, { get: () => made[id], enumerable: true }])));
    export const INTERFACE = listOf(${idsOf(INTERFACE)});
    export const ENDPOINTS = listOf(${idsOf(served)});
    export const endpointById = (id) => (Object.hasOwn(made, id) ? made[id] : undefined);
    export const MAPPINGS = Object.defineProperties({}, Object.fromEntries(${JSON.stringify(Object.keys(MAPPINGS))}.map((id) => [id, { get: () => made[id].mirror, enumerable: true }])));`;
}

function membersOf(group) {
  return endpointFiles().flatMap((file, i) =>
    groupOf(file) === group ? `export { default as '${i}' } from ${JSON.stringify(file)};` : [],
  );
}

/** The files of INTERFACE, in its order. */
function endpointFiles() {
  const source = readFileSync(ENDPOINTS, 'utf8');
  const imported = [...source.matchAll(/^import (\w+) from '(\.[^']+)';$/gm)];
  const paths = new Map(imported.map(([, name, path]) => [name, join(dirname(ENDPOINTS), path)]));
  const names = /INTERFACE: [^=]*= \[([^\]]*)\]/.exec(source)[1].match(/\w+/g);
  return names.map((name) => paths.get(name));
}

function groupOf(file) {
  return `endpoints-${basename(dirname(file))}`;
}
