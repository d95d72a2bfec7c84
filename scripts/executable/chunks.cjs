// Loads the files of the program, which are resources of the executable. Code that was compiled for a file by the typical
// questions of the build is handed over with it: it need not be compiled at each start. A file that throws while it is
// loaded stays half loaded.
const { Script } = require('node:vm');

/** What loads a file by its name. `textOf` and `compiledOf` give what is kept of a file; `scripts` is filled as files are loaded. */
function createLoader({ textOf, compiledOf, scripts = new Map() }) {
  const modules = new Map();
  const requireFrom = (id) => (id.startsWith('./') ? load(id.slice(2)) : require(id));
  function load(name) {
    const known = modules.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    // Code of another Node, or for other settings of it, is ignored: the text is compiled then.
    const script = new Script(textOf(name), { filename: name, cachedData: compiledOf(name) });
    scripts.set(name, script);
    script.runInThisContext()(module.exports, requireFrom, module);
    return module.exports;
  }
  return load;
}

module.exports = { createLoader };
