// Publishers beside the service: which selections are theirs, how their files are fetched, and how they stand.

import { join } from 'node:path';
import { createFileClient } from '../../client/http/file.ts';
import type { MissingPart } from '../../contract/hooks.ts';
import { parseObject } from '../../contract/json/json.ts';
import { appearancesAhead, latestAppearance, MAX_DOWNLOAD_BYTES, silenceOf } from '../../imports/fetch/download.ts';
import { nextCheck, planUnit, probeAddress } from '../../imports/fetch/plan.ts';
import type { FetchOptions } from '../../imports/fetch/run.ts';
import { readUnitStates } from '../../imports/fetch/state.ts';
import { askedAt, type FetchUnit, readUnits } from '../../imports/fetch/units.ts';
import { nameOfFileSeries } from '../../imports/format.ts';
import { formatNamed, IMPORT_FORMATS } from '../../imports/formats.ts';
import { type ImportedSeries, importsIn, type PastImport } from '../../imports/past-imports.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import type { StoredSeries } from '../../mirror/api/series.ts';
import { checkSafely, type Diagnosis, findings } from '../commands/checks.ts';
import type { App } from './app.ts';
import { noteProxy } from './service.ts';

/**
 * The selections of publishers among some, which commas separate, and as typed those of the service, in one text.
 * @throws MacroError of kind `usage`.
 */
export function splitSelections(app: App, words: readonly string[]) {
  const selections = words.join(' ').split(',');
  const units = new Map<string, FetchUnit>();
  const rest: string[] = [];
  for (const text of selections.map((one) => one.trim()).filter((one) => one !== '')) {
    const found = readUnits(text.split(/\s+/), app.settings.publishers.value);
    if (!found) rest.push(text);
    for (const unit of found ?? []) units.set(unit.name, unit);
  }
  return { units: [...units.values()], rest: rest.length === 0 ? [] : [rest.join(', ')] };
}

const LONG_PAUSE_MS = 5000;

export function fetchOptions(app: App): FetchOptions {
  const { platform, settings } = app;
  const client = createFileClient({
    platform,
    proxyOf: (url) => noteProxy(app, url),
    onWait({ ms, reason }) {
      const sentence = `${reason} Trying again in ${Math.ceil(ms / 1000)} s.`;
      // Short pauses between tries are nobody's matter: what fails in the end says how often it was tried.
      void (ms < LONG_PAUSE_MS ? app.verbose(sentence, 'waiting') : app.note(sentence, 'waiting'));
    },
  });
  return {
    client,
    files: platform.files,
    folder: join(settings.folders.state, 'fetched', String(platform.pid)),
    settings: settings.publishers.value,
    clock: platform.clock,
    signal: app.signal,
    onFetch: ({ address }) => void app.verbose(`GET ${address}`, 'request'),
  };
}

/** How units stand in the mirror, in milliseconds: when one has something to do next, and since when a new state can be there. */
export async function unitOverviews(mirror: Mirror | undefined, units: readonly FetchUnit[], now: number) {
  const states = await readUnitStates(mirror, units);
  return units.flatMap((unit, place) => {
    const state = states[place];
    if (!state) return [];
    const { appears } = unit.download;
    const due = planUnit(unit, state, { now });
    const next = nextCheck(unit, state, now, appearancesAhead(appears, now)[0] ?? Number.POSITIVE_INFINITY);
    const { series, checkedAt } = state;
    const latest = latestAppearance(appears, now);
    return [
      {
        ...{ unit, series, checkedAt, due, nextAt: due.length > 0 ? now : next },
        missedSince: checkedAt !== undefined && latest !== undefined && checkedAt < latest ? latest : undefined,
        silence: silenceOf(appears, state.dates, now),
      },
    ];
  });
}

/** Commands that fetch missing parts of series that files brought, and the parts that no file brought yet. */
export async function fetchesOf(mirror: Mirror, missing: readonly MissingPart[]) {
  const imports = importsIn(await mirror.files.fileCommits()).filter(({ undoneAt }) => undoneAt === undefined);
  const bySeries = Map.groupBy(missing, ({ series: { endpoint, scope } }) => JSON.stringify([endpoint, scope]));
  const commands = [...bySeries.values()].map(async (parts) => {
    const since = parts.map(({ range }) => String(range?.for === undefined ? range?.from : range.to)).sort()[0] ?? '';
    const found = await Promise.all(
      parts.slice(0, 1).map(({ series: { endpoint, scope } }) => mirror.find({ endpoint, scope })),
    );
    const fetches = found.flat().map((stored) => {
      const isOf = ({ key }: ImportedSeries) =>
        key.origin === stored.origin && nameOfFileSeries(key) === nameOfFileSeries(stored);
      const last = imports.findLast(({ series }) => series.some(isOf));
      if (!last) return undefined;
      const isUnproven = parts.some(({ reason }) => reason === 'unproven');
      const listsVintages = formatNamed(last.format)?.download?.vintages !== undefined;
      return isUnproven || listsVintages ? vintagesOf(stored, since) : fetchOf(last, stored);
    });
    return { fetches, rest: fetches.length === 0 ? parts : [] };
  });
  const all = await Promise.all(commands);
  const fetches = all.flatMap((one) => one.fetches).filter((command) => command !== undefined);
  return { fetches: [...new Set(fetches)], rest: all.flatMap(({ rest }) => rest) };
}

/** Every release of a series of the St. Louis Fed since a date; undefined for series of others. */
function vintagesOf({ origin, envelope }: StoredSeries, from: string): string | undefined {
  const format = IMPORT_FORMATS.find(({ download }) => download?.vintages);
  const { source_series_id: id } = envelope ? parseObject(envelope.text) : {};
  const isTheirs = /^import:(AL)?FRED$/.test(origin) && typeof id === 'string';
  return format && isTheirs ? `macro import ${format.id} ${id} --vintages ${from.slice(0, 7)}..` : undefined;
}

/** Fetches by the name of the file, else by the id of the series. */
function fetchOf({ format, file }: PastImport, { envelope }: StoredSeries): string | undefined {
  const { ids, address } = formatNamed(format)?.download ?? {};
  if (address === undefined) return undefined;
  if (!ids || ids.defaults.length > 0) return `macro import ${format}`;
  const { source_series_id: own } = envelope ? parseObject(envelope.text) : {};
  const id = [file.replace(/\.\w+$/, '').toUpperCase(), String(own)].find((one) => ids.pattern.test(one));
  return id === undefined ? undefined : `macro import ${format} ${id}`;
}

/** Asks each publisher, one after the other, whether its file is there. */
export async function publisherChecks(app: App): Promise<readonly Diagnosis[]> {
  const { client, settings, signal } = fetchOptions(app);
  const now = app.platform.clock.now();
  const { fine, note } = findings('publisher');
  const checks: Diagnosis[] = [];
  for (const { id, download } of IMPORT_FORMATS) {
    const own = settings[id];
    const asked = download && askedAt(download, own?.address);
    if (asked?.address === undefined) continue;
    if (asked.needsContact && own?.contact === undefined) {
      checks.push(note(`${id} wants a contact`, `macro config set publishers.${id}.contact ADDRESS`));
      continue;
    }
    const url = probeAddress(asked, now);
    const request = { url, hosts: asked.hosts ?? [], maxBytes: MAX_DOWNLOAD_BYTES, contact: own?.contact, signal };
    const probe = async () => {
      await client.probe(request);
      return fine(`${id} answers at ${new URL(url).host}`);
    };
    checks.push(...(await checkSafely('publisher', probe)));
  }
  return checks;
}
