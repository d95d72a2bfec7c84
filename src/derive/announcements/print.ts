import type { KeptValue, KnownSince, ViewRow } from '../../contract/hooks.ts';
import { patchRow } from '../../contract/json/body.ts';
import { asJsonText, type JsonObject, type JsonText, parseObject } from '../../contract/json/json.ts';
import { memberTexts } from '../../contract/json/scan.ts';
import { instantOf, secondsOfNs } from '../../contract/time/time.ts';

/** Members to replace or add; `undefined` takes one away. */
export type Patch = Readonly<Record<string, JsonText | undefined>>;

/** The value of one period as an answer shows it: the stored row, and what of it has to change. */
export interface Print {
  readonly text: JsonText;
  readonly row: JsonObject;
  readonly date: string;
  /** As shown, which is not the stored value when a later revision is not to be seen. */
  readonly val: number | null;
  readonly valText: JsonText;
  /** Release time, Unix seconds. */
  readonly release: number | undefined;
  /** As its row states it. */
  readonly releaseText: JsonText | undefined;
  /** The shown value is not the stored one, so nothing that was computed from the stored one holds. */
  readonly altered: boolean;
  /** Replaced values of the period that the mirror remembers, if the question needs them. */
  readonly kept?: readonly KeptValue[] | undefined;
  /** Since when the shown value was known, where it was chosen among several. */
  readonly since?: { readonly ns: string; readonly isConfirmed: boolean };
  readonly patch: Patch;
  /** The place of its row in the list that it is of, the commit that brought it, and since when it was known. */
  readonly place?: number;
  readonly commit?: number | undefined;
  readonly known?: KnownSince | undefined;
}

const NULL = asJsonText('null');

/** Reads a stored row, nothing changed yet. */
export function readPrint(text: JsonText): Print {
  const row = parseObject(text);
  const [valText = NULL, releaseText] = memberTexts(text, ['val', 'announcement_datetime']);
  return {
    text,
    row,
    date: String(row.date),
    val: typeof row.val === 'number' ? row.val : null,
    valText,
    release: releaseOfPrint(row),
    releaseText: releaseText === NULL ? undefined : releaseText,
    altered: false,
    patch: {},
  };
}

export function printOfRow({ text, commit, known }: ViewRow): Print {
  return { ...readPrint(text), commit, known };
}

/** Reads a row with the values that the mirror remembers of its period. */
export function readKept(print: Print, kept: ReadonlyMap<string, readonly KeptValue[]> | undefined): Print {
  const values = kept?.get(print.date);
  return values ? { ...print, kept: values } : print;
}

export function printText({ text, patch }: Print): JsonText {
  return Object.keys(patch).length === 0 ? text : patchRow(text, patch);
}

/** The print with further changes over the ones it has. */
export function patched(print: Print, patch: Patch): Print {
  return { ...print, patch: { ...print.patch, ...patch } };
}

/** When a row became public: its release, else when it was collected. See docs/interface-access.md#release-delay. */
export function releaseOfPrint(row: JsonObject): number | undefined {
  return (
    instantOf(row.announcement_datetime) ??
    instantOf(row.collected_at) ??
    secondsOfNs(row.collected_at_ns_string) ??
    instantOf(row.collected_at_iso)
  );
}
