import { isJsonObject, type Json } from '../../../src/contract/json/json.ts';

interface LeftOut {
  /** A member of the body, members of members joined by dots. */
  readonly member: string;
  readonly of?: readonly string[];
  /** Left out of what is told without a key only. */
  readonly keyless?: true;
  readonly reason: string;
}

/** Members in which an answer of the mirror may differ from the service's, and why. Nothing else may. */
const LEFT_OUT: readonly LeftOut[] = [
  { member: 'dataset_version', reason: 'names the state of whoever answers; opaque' },
  { member: 'replay.dataset_version', reason: 'names the state of whoever answers; opaque' },
  { member: 'checkpoint', reason: 'names the state of whoever answers; opaque' },
  { member: 'freemium_delay', keyless: true, reason: 'access rules never hold for a person reading their own mirror' },
  { member: 'freemium_window', keyless: true, reason: 'access rules never hold for a person reading their own mirror' },
  {
    member: 'requested_start_date',
    keyless: true,
    reason: 'the service clips the window that it was asked for; the mirror’s owner is told what they asked',
  },
  { member: 'start_date', of: ['cot'], keyless: true, reason: 'the same, in the words of this route' },
  {
    member: 'scope.currencies',
    of: ['announcements_changes'],
    keyless: true,
    reason: 'the service narrows a keyless filter; the mirror’s owner is told what they asked',
  },
  ...['data_lag_days', 'is_stale'].map((member) => ({
    member: `data_quality.${member}`,
    of: ['announcements', 'latest_announcements_series', 'announcements_recent_series'],
    keyless: true as const,
    reason: 'a replay is as old as its moment; without a key it is as of today, as the window and the delay are',
  })),
  ...['base_latest', 'quote_latest'].map((member) => ({
    member: `${member}.announcement_datetime`,
    of: ['rate_differentials'],
    reason: 'rows of a differential carry no release times: the service takes them from the legs',
  })),
  ...['announcement_datetime_count', 'missing_announcement_datetime_count', 'has_announcement_datetime'].map(
    (member) => ({
      member: `data_quality.${member}`,
      of: ['rate_differentials'],
      reason: 'counts the release times of the legs',
    }),
  ),
];

/** A body without the members that may differ. */
export function comparable(body: Json | undefined, asked: { readonly id: string; readonly keyless: boolean }): Json {
  const members = LEFT_OUT.filter(
    ({ of, keyless }) => (of?.includes(asked.id) ?? true) && (keyless !== true || asked.keyless),
  );
  return members.reduce((rest, { member }) => without(rest, member.split('.')), body ?? null);
}

function without(value: Json, [name = '', ...inner]: readonly string[]): Json {
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  if (inner.length > 0) return { ...value, [name]: without(value[name] ?? null, inner) };
  return Object.fromEntries(Object.entries(value).filter(([member]) => member !== name));
}
