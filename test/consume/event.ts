import { asJsonText } from '../../src/contract/json/json.ts';
import type { JournalEvent } from '../../src/mirror/api/journal.ts';

export const EVENT: JournalEvent = {
  position: 1,
  origin: 'https://api.example.test',
  id: 'usd_inflation_1791981000',
  timestamp: 1_791_981_002,
  currency: 'usd',
  indicator: 'inflation',
  release: 1_791_981_000,
  text: asJsonText('{"event_id":"usd_inflation_1791981000","val":"é"}'),
  arrivals: [],
};
