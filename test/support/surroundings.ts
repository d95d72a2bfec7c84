/** What tests like to replace. Reading all that is global would load what nobody asked for. */
const REPLACED = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'queueMicrotask',
] as const;

/** Objects of the language that a file could add to. */
const LANGUAGE = [Object, Array, String, Number, Date, Map, Set, Promise, Uint8Array].map((made) => made.prototype);

/**
 * What test files that run in one process share beside the modules: its variables, its folder, what is global and what the
 * objects of the language can do. Two of them are equal when nothing of that was changed in between.
 */
export function surroundings() {
  return {
    variables: { ...process.env },
    folder: process.cwd(),
    replaced: [
      ...REPLACED.map((name) => globalThis[name]),
      Date,
      Date.now,
      Math.random,
      fetch,
      process.kill,
      process.exit,
    ],
    global: Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith('__')),
    language: LANGUAGE.map((methods) => Object.getOwnPropertyNames(methods)),
  };
}
