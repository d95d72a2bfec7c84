// Where the single executable begins.
const { getAssetKeys, getRawAsset } = require('node:sea');
const { createLoader } = require('./chunks.cjs');

const resources = new Set(getAssetKeys());
const bytesOf = (name) => (resources.has(name) ? Buffer.from(getRawAsset(name)) : undefined);
const load = createLoader({
  // The texts are plain ASCII, one byte a character.
  textOf: (name) => bytesOf(name).latin1Slice(),
  compiledOf: (name) => bytesOf(`${name}.compiled`),
});
load('main.js').start();
