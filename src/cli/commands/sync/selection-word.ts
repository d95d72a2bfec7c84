import type { WordSpec } from '../command.ts';

/** The series that a command is about. */
export const SELECTION: WordSpec = {
  name: 'words',
  doc: 'words of a query command, a currency or a pair; several selections are separated by commas',
  words: ['announcements', 'calendar', 'catalogue', 'commodities', 'cot', 'fx', 'sentiment'],
  from: 'selection',
  many: true,
};
