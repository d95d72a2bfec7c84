import type { ServiceLabels } from '../contract/hooks.ts';
import { isJsonObject, type JsonObject, readJson } from '../contract/json/json.ts';
import { ENDPOINTS } from '../endpoints/index.ts';
import type { Mirror } from '../mirror/api/mirror.ts';
import type { StoredSeries } from '../mirror/api/series.ts';

/** Labels with addresses: configured, stored, or ours. See docs/interface.md#addresses-in-answers. */
export async function withAddresses(labels: ServiceLabels, mirror: Pick<Mirror, 'find'>): Promise<ServiceLabels> {
  const stored = labels.subscribeUrl === '' || labels.docsUrl === '' ? await toldBy(mirror) : {};
  const { publicBaseUrl, subscribeUrl, docsUrl } = labels;
  return {
    ...labels,
    subscribeUrl: subscribeUrl || stored.subscribe_url || `${publicBaseUrl}/`,
    docsUrl: docsUrl || stored.docs_url || `${publicBaseUrl}/docs`,
    ...(docsUrl === '' && { deprecationsUrl: `${publicBaseUrl}/docs` }),
  };
}

async function toldBy(mirror: Pick<Mirror, 'find'>): Promise<Readonly<Record<string, string>>> {
  const telling = ENDPOINTS.flatMap(({ id, addresses, mirror: isStored }) =>
    addresses && isStored ? [{ id, addresses }] : [],
  );
  const stored = await Promise.all(
    telling.map(async ({ id, addresses }) =>
      (await mirror.find({ endpoint: id, scope: {} })).map((series) => ({ series, addresses })),
    ),
  );
  const newestLast = stored.flat().sort((a, b) => a.series.checkedAt - b.series.checkedAt);
  return Object.assign({}, ...newestLast.flatMap(({ series, addresses }) => addressesIn(series, addresses)));
}

function addressesIn(
  { envelope }: StoredSeries,
  members: readonly string[],
): readonly Readonly<Record<string, string>>[] {
  const stored: JsonObject = envelope?.text.includes('_url"') ? readJson(envelope.text) : {};
  return members.flatMap((name) => {
    const member = stored[name];
    if (!isJsonObject(member)) return [];
    const isAddress = ([, value]: [string, unknown]) => typeof value === 'string' && /^https?:\/\/\S+$/.test(value);
    const addresses = Object.entries(member).filter(isAddress);
    return [Object.fromEntries(addresses.map(([key, value]) => [key, String(value)]))];
  });
}
