import type { Compose, Composed, HookContext, LoadedSeries, MissingPart } from '../../contract/hooks.ts';
import { type JsonText, toJsonText } from '../../contract/json/json.ts';
import { BEGINNING, LAST_DATE } from '../../contract/time/time.ts';
import { missingAll, missingOfSeriesList } from '../../coverage/missing-parts.ts';
import { byOrigin, isBaseSeries } from '../announcements/series.ts';
import { generateTemplate, publishedTemplates, ROWS_OF_PRECISION, type Template } from './templates.ts';

export interface ContractsArgs {
  readonly currency: string | undefined;
  readonly indicator: string | undefined;
}

/** Published templates of contracts, else one for each stored history. */
export const composeContracts: Compose<ContractsArgs> = {
  version: 1,
  reads: ({ currency, indicator }) => [
    { endpoint: 'settlement_contracts', scope: {} },
    { endpoint: 'announcements', scope: { ...(currency && { currency }), ...(indicator && { indicator }) } },
  ],
  selectSeries: (_, stored) => {
    const published = stored.filter(({ endpoint }) => endpoint === 'settlement_contracts');
    return published.length > 0 ? published : stored.filter(isBaseSeries);
  },
  // Generated templates are a stand-in for those of the service.
  vouches: (_, picked) => ({ series: picked.filter(({ endpoint }) => endpoint === 'settlement_contracts') }),
  rowsNeeded: (_, { endpoint }) => (endpoint === 'announcements' ? { newest: ROWS_OF_PRECISION } : undefined),
  build: buildContracts,
};

/** Published public keys of stored records, and those of this server. */
export const composeKeys: Compose<Readonly<Record<never, never>>> = {
  version: 1,
  signs: true,
  needs: 'none',
  reads: () => [{ endpoint: 'settlement_keys', scope: {} }],
  build: buildKeys,
};

function buildContracts(loaded: readonly LoadedSeries[], { args }: HookContext<ContractsArgs>): Composed {
  const published = loaded.filter(({ ref }) => ref.endpoint === 'settlement_contracts').sort(byOrigin);
  const templates = published.length > 0 ? publishedTemplates(published) : generated(loaded);
  const rows = templates
    .filter(({ currency }) => args.currency === undefined || currency === args.currency)
    .filter(({ indicator }) => args.indicator === undefined || indicator === args.indicator)
    .sort((a, b) => (a.contractId < b.contractId ? -1 : 1))
    .map(({ text }) => text);
  const missingParts =
    published.length > 0 ? undefined : [...loaded.flatMap(missingOfPrecision), missingAll('settlement_contracts', {})];
  const notes =
    published.length > 0 ? [] : ['The templates of the service are not stored: these follow from the stored series.'];
  return {
    envelope: { ...published[0]?.envelope, count: rows.length },
    rows,
    total: rows.length,
    ...(missingParts && { missingParts }),
    notes,
  };
}

/** The missing part of the newest rows, which tell the number of printed decimals. */
function missingOfPrecision(series: LoadedSeries): readonly MissingPart[] {
  const oldest = series.rows[ROWS_OF_PRECISION - 1];
  return missingOfSeriesList([series], { from: oldest ? String(oldest.columns.date) : BEGINNING, to: LAST_DATE });
}

function generated(loaded: readonly LoadedSeries[]): readonly Template[] {
  const byId = new Map<string, Template>();
  for (const series of [...loaded].sort(byOrigin)) {
    if (missingOfPrecision(series).length > 0) continue;
    const template = generateTemplate(series);
    if (template && !byId.has(template.contractId)) byId.set(template.contractId, template);
  }
  return [...byId.values()];
}

function buildKeys(loaded: readonly LoadedSeries[], { signing, now }: HookContext<unknown>): Composed {
  const published = [...loaded].sort(byOrigin);
  const byId = new Map<string, JsonText>();
  for (const { rows } of published)
    for (const { columns, text } of rows) if (!byId.has(String(columns.key_id))) byId.set(String(columns.key_id), text);
  for (const key of signing?.keys(now) ?? []) byId.set(key.key_id, toJsonText(key));
  const rows = [...byId].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return { envelope: { ...published[0]?.envelope, count: rows.length }, rows, total: rows.length };
}
