// The mirror follows its service to a new address.

import type { Client, ClientRequest } from '../../../client/client.ts';
import { createClient } from '../../../client/create.ts';
import { KEYLESS_DAYS, needsKey } from '../../../contract/access.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { cutBody } from '../../../contract/json/body.ts';
import { parseObject } from '../../../contract/json/json.ts';
import { readParams } from '../../../contract/params/read-params.ts';
import { addDays } from '../../../contract/time/time.ts';
import { ENDPOINTS } from '../../../endpoints/index.ts';
import { MacroError } from '../../../errors.ts';
import type { MirrorReader } from '../../../mirror/api/mirror.ts';
import type { StoredSeries } from '../../../mirror/api/series.ts';
import { compareRows } from '../../../mirror/rules/columns.ts';
import type { App } from '../../app/app.ts';
import { serviceOptions } from '../../app/service.ts';
import { checkBaseUrl } from '../../app/settings.ts';
import { isOn } from '../../parse/options.ts';
import { storedName } from '../../print/series.ts';
import type { Call } from '../command.ts';
import { onlyWord, requireMirror, underLock } from '../require.ts';

/** Series that are compared; of each the newest row, the oldest and one between. */
const MAX_SERIES = 5;

/** Rows of one date of one series, as they are stored. */
interface Sample {
  readonly endpoint: Endpoint;
  readonly series: StoredSeries;
  readonly date: string;
  readonly texts: readonly string[];
}

/** Binds the mirror to an address after comparing rows. @throws MacroError of kind `mirror` or `usage`. */
export async function runBind(app: App, call: Call): Promise<void> {
  const address = checkBaseUrl(onlyWord(call, 'mirror bind', 'URL'));
  const { mirror } = await requireMirror(app);
  const client = clientAt(app, address);
  const { service: from } = await mirror.stamp();
  if (from === undefined)
    throw new MacroError('usage', `The mirror ${mirror.name} belongs to no service yet.`, {
      code: 'mirror_unbound',
      hint: 'The first answer that it keeps binds it: macro sync fx eur usd',
    });
  const to = client.service;
  if (from === to) {
    await app.note(`The mirror ${mirror.name} belongs to ${to} already.`, 'bound_already');
    return;
  }
  const { samples, isHidden } = await mirror.snapshot((reader) =>
    samplesOf(reader, { from, client, today: app.today }),
  );
  if (isHidden && !isOn(call.options, 'accept-different'))
    throw new MacroError('auth', 'The mirror has rows that only a key shows, so they cannot be compared.', {
      code: 'api_key_required',
      hint: `Give the key of ${to}: MACRO_API_KEY, or macro auth login. If you know better: macro mirror bind ${to} --accept-different`,
    });
  // Asking counts in the quota, which a dry run leaves as it is.
  if (app.isDryRun) {
    await app.change(`ask ${to} for ${samples.length} stored dates, and bind ${mirror.name} to it`, () => undefined);
    return;
  }
  const rows = [];
  for (const sample of samples)
    rows.push({
      series: storedName(sample.endpoint, sample.series),
      row: sample.date,
      result: await compareThere(app, client, sample),
    });
  const different = rows.filter(({ result }) => result !== 'same').length;
  await app.list({ rows, title: ['Compared with', to] });
  if (different > 0 || rows.length === 0) await acceptDifferent(app, call, { from, to, of: rows.length, different });
  const done = await app.change(`bind ${mirror.name} to ${to} instead of ${from}`, async () => {
    const written = await app.writable();
    const at = () => app.platform.clock.now();
    await underLock(written.lockSync(), () => written.bind({ from, to, at: at(), compared: rows.length, different }));
  });
  if (done) await app.note(`The mirror ${mirror.name} belongs to ${to} from now on.`, 'mirror_bound');
}

function clientAt(app: App, address: string): Client {
  const { baseUrl } = app.settings;
  const options = serviceOptions({ ...app, settings: { ...app.settings, baseUrl: { ...baseUrl, value: address } } });
  if (!options) throw new MacroError('internal', 'A service with an address has no options.');
  return createClient(options);
}

async function acceptDifferent(
  app: App,
  call: Call,
  { from, to, of, different }: { from: string; to: string; of: number; different: number },
): Promise<void> {
  const what =
    of === 0
      ? `No stored row can be compared with ${to}.`
      : `${to} says otherwise of ${different} of ${of} stored dates: it is another service than ${from}, or has other data.`;
  if (isOn(call.options, 'accept-different')) return app.warn(what, 'service_differs');
  throw new MacroError('mirror', what, {
    code: 'service_differs',
    hint: `Keep the other service in a mirror of its own: --mirror FILE. If you know better: macro mirror bind ${to} --accept-different`,
  });
}

/** Dates of up to five series that the address can be asked for, of as many endpoints as there are. */
async function samplesOf(
  reader: MirrorReader,
  { from: origin, client, today }: { readonly from: string; readonly client: Client; readonly today: string },
): Promise<{ readonly samples: readonly Sample[]; readonly isHidden: boolean }> {
  const isKeyless = client.access === 'keyless';
  let isHidden = false;
  const byEndpoint: Sample[][][] = [];
  for (const endpoint of COMPARABLE) {
    const found = await reader.find({ endpoint: endpoint.id, scope: {} });
    const own = found.filter(
      (series) => series.origin === origin && !(isKeyless && needsKey(endpoint.access, series.scope)),
    );
    const window = isKeyless && endpoint.access.window ? { from: addDays(today, 1 - KEYLESS_DAYS) } : {};
    const samples: Sample[][] = [];
    isHidden ||= isKeyless && found.some((series) => series.origin === origin && !own.includes(series));
    for (const series of own) {
      if (samples.length === MAX_SERIES) break;
      const count = await reader.count(series, window);
      isHidden ||= isKeyless && count < (await reader.count(series, {}));
      const places = [...new Set([0, Math.floor(count / 2), count - 1])].filter((place) => place >= 0);
      const dates = new Set<string>();
      for (const offset of places)
        for (const { key } of await reader.rows(series, window, { limit: 1, offset })) dates.add(String(key[0]));
      if (dates.size === 0) continue;
      const ofDate = async (date: string): Promise<Sample> => {
        const rows = await reader.rows(series, { from: date, to: date });
        return { endpoint, series, date, texts: rows.map(({ text }) => text) };
      };
      samples.push(await Promise.all([...dates].map(ofDate)));
    }
    byEndpoint.push(samples);
  }
  const inTurns = Array.from({ length: MAX_SERIES }, (_, turn) =>
    byEndpoint.flatMap((samples) => samples.slice(turn, turn + 1)),
  );
  return { samples: inTurns.flat().slice(0, MAX_SERIES).flat(), isHidden };
}

const COMPARABLE: readonly Endpoint[] = ENDPOINTS.filter(
  ({ mirror, paging }) => mirror?.window?.unit === 'date' && (paging.kind === 'offset' || paging.kind === 'none'),
);

function questionOf({ endpoint, series, date }: Sample, now: number): Pick<ClientRequest, 'endpoint' | 'args'> {
  const { window } = endpoint.mirror ?? {};
  const { paging } = endpoint;
  const names = Object.entries(series.scope);
  const query = {
    ...Object.fromEntries(names.filter(([name]) => endpoint.query[name] !== undefined)),
    ...(window && { [window.from]: date, [window.to]: date }),
    ...(paging.kind === 'offset' && { limit: String(paging.max) }),
  };
  const path = Object.fromEntries(names.filter(([name]) => endpoint.at[name] !== undefined));
  return { endpoint, args: readParams(endpoint, { path, query }, { mode: 'liberal', now }).args };
}

async function compareThere(app: App, client: Client, sample: Sample): Promise<string> {
  const { endpoint, texts } = sample;
  const reply = await client
    .ask({ ...questionOf(sample, app.platform.clock.now()), signal: app.signal })
    .catch((error: unknown) => {
      if (error instanceof MacroError && error.kind === 'notFound') return undefined;
      throw error;
    });
  if (!reply) return 'absent';
  const there = cutBody(endpoint.body, reply.body).rows.map(({ value }) => value);
  const dependent = new Set(endpoint.mirror?.dependent);
  const isThere = (text: string) => there.some((row) => compareRows(parseObject(text), row, dependent) !== 'revised');
  return there.length === texts.length && texts.every(isThere) ? 'same' : 'different';
}
