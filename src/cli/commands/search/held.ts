import { type Json, objectIn, readJson } from '../../../contract/json/json.ts';
import catalogue from '../../../endpoints/catalogue/catalogue.ts';
import type { Mirror } from '../../../mirror/api/mirror.ts';

/** One entry of a catalogue that the mirror holds. */
export interface MirroredEntry {
  readonly slug: string;
  readonly currency: string;
  readonly name: string | undefined;
  readonly aliases: readonly string[];
  /** Further words about it: publisher, unit, frequency. */
  readonly about: string;
}

/** All entries of all catalogues of a mirror, in one state of it. */
export function storedEntries(mirror: Mirror): Promise<readonly MirroredEntry[]> {
  return mirror.snapshot(async (reader) => {
    const entries: MirroredEntry[] = [];
    for (const series of await reader.find({ endpoint: catalogue.id, scope: {} }))
      for (const { key, text } of await reader.rows(series, {}))
        entries.push(readEntry(String(key[0]), series.scope.currency ?? '', readJson(text)));
    return entries;
  });
}

function readEntry(slug: string, currency: string, entry: Json): MirroredEntry {
  const members = objectIn(entry);
  const text = (value: Json | undefined) => (typeof value === 'string' ? value : undefined);
  const aliases = Array.isArray(members.aliases) ? members.aliases : [];
  const { name, source, source_local_name: local, source_series_name: series, unit, frequency } = members;
  return {
    slug,
    currency,
    name: text(name),
    aliases: aliases.filter((alias) => typeof alias === 'string'),
    about: [source, local, series, unit, frequency].flatMap((value) => text(value) ?? []).join(' '),
  };
}
