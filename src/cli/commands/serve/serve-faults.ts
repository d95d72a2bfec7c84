// The faults of `serve`, as its options say.
import { resolve } from 'node:path';
import { createFaults, type FaultEngine } from '../../../serve/faults/fault-engine.ts';
import { readFaults } from '../../../serve/faults/read-faults.ts';
import type { App } from '../../app/app.ts';
import { readCount } from '../../parse/counts.ts';
import { isOn, type Options, textOption } from '../../parse/options.ts';

const DEFAULT_SEED = 1;

/**
 * The faults of a server, as they were typed. Requests may ask for faults of their own where the data is made up, or where
 * the owner of the mirror has asked for faults already.
 */
export async function openFaults(app: App, options: Options): Promise<FaultEngine> {
  const { clock, files, cwd } = app.platform;
  const file = textOption(options, 'faults');
  const seed = readCount(options, 'seed', 0);
  const rules = file === undefined ? [] : readFaults(files.readText(resolve(cwd, file)));
  if (file !== undefined) await app.warn('answers are spoiled on purpose: never offer this to others', 'faults');
  return createFaults({
    rules,
    seed: seed ?? (file === undefined ? undefined : DEFAULT_SEED),
    allowsHeader: file !== undefined || isOn(options, 'sandbox'),
    headerPrefix: app.settings.headerPrefix.value,
    clock,
  });
}
