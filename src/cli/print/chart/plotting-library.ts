/** The plotting library of pages, as text. The build puts the text in place of this file, so that an installation needs no package. */
import { createRequire } from 'node:module';
import { nodeFiles } from '../../../platform/node-files.ts';

const { resolve } = createRequire(import.meta.url);

export const PLOTTING_LIBRARY = {
  script: nodeFiles.readText(resolve('uplot/dist/uPlot.iife.min.js')),
  style: nodeFiles.readText(resolve('uplot/dist/uPlot.min.css')),
} as const;
