import { type CommandDeclaration, lazy } from '../command.ts';
import { LISTING } from '../common-options.ts';

/** Judges signed settlement records. */
export const SETTLEMENT_COMMAND: CommandDeclaration = {
  path: ['settlement', 'verify'],
  summary: 'Judge a signed settlement record, offline: exit 0 valid, 9 invalid, 10 unsigned, 3 key not known',
  words: [{ name: 'file', doc: 'the record as JSON; - reads standard input', file: true }],
  options: [
    {
      name: 'keys',
      value: 'FILE',
      doc: 'public keys as JSON; default: those of settlement keys in the mirror',
      file: true,
    },
    ...LISTING,
  ],
  examples: ['settlement verify record.json', 'settlement verify - --keys keys.json < record.json'],
  run: lazy(() => import('./verify.ts'), 'verifySettlement'),
};
