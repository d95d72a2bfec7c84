import { type Endpoint, GROUPS, type Group } from '../contract/endpoint.ts';
import type { JsonObject } from '../contract/json/json.ts';

const DESCRIPTIONS: Readonly<Record<Group, string>> = {
  health: 'Whether the service is there.',
  'data catalogue': 'What exists for a currency, and since when.',
  announcements: 'Macroeconomic indicators, each value with the time of its official release.',
  predictions: 'Forecasts of releases, and who makes them.',
  calendar: 'When releases are due, and what earlier schedules said.',
  'release-event delivery': 'Releases as they are processed: server-sent events and signed webhooks.',
  factors: 'Precomputed scores of a currency.',
  'fx reference rates': 'Official daily and timed reference rates of currency pairs. No market prices.',
  'curves and rate differentials': 'Government bond curves, and the spread of two currencies on a shared rate.',
  'market sessions and risk sentiment': 'Trading hours of the four sessions, and one score of the mood of markets.',
  positioning: 'Weekly futures positions of groups of traders.',
  commodities: 'Prices and stocks of commodities.',
  'press releases': 'Publications of central banks.',
  settlement: 'Signed records of how event contracts settle.',
  prices: 'Official observations of bonds, bills, auctions and overnight rates.',
};

/** The groups that these endpoints belong to, in the order of the specification, each with what it is about. */
export function tagsOf(endpoints: readonly Pick<Endpoint, 'group'>[]): readonly JsonObject[] {
  const used = new Set(endpoints.map(({ group }) => group));
  return GROUPS.filter((group) => used.has(group)).map((name) => ({ name, description: DESCRIPTIONS[name] }));
}
