// Where the single executable begins.
const { getAssetKeys, getRawAsset } = require('node:sea');
const { createLoader } = require('./chunks.cjs');

const resources = new Set(getAssetKeys());
const bytesOf = (name) => (resources.has(name) ? Buffer.from(getRawAsset(name)) : undefined);
const load = createLoader({
  textOf: (name) => bytesOf(name).toString(),
  compiledOf: (name) => bytesOf(`${name}.compiled`),
});
load('main.js').start();
