import type { Derived, PageView, ServiceLabels } from '../../contract/hooks.ts';
import { patchRow } from '../../contract/json/body.ts';
import { isJsonObject, type JsonObject, type JsonText, parseObject, toJsonText } from '../../contract/json/json.ts';

/**
 * Coverage of all currencies, with the addresses that only whoever answers knows. See
 * docs/interface.md#prediction-coverage.
 */
export function deriveCoverageList({ rows, stored, labels }: PageView<unknown>): Derived {
  return {
    envelope: { currency_count: rows.length, access: accessOf(stored, labels) },
    rows: rows.map((text) =>
      withLink(
        text,
        'coverage_url',
        ({ currency }) => `${labels.publicBaseUrl}/v1/predictions/coverage/${lower(currency)}`,
      ),
    ),
  };
}

/** Coverage of one currency, indicator by indicator. */
export function deriveCoverage({ args, rows, stored, labels }: PageView<{ readonly currency: string }>): Derived {
  const address = `${labels.publicBaseUrl}/v1/predictions/${lower(args.currency)}`;
  return {
    envelope: { currency: args.currency, indicator_count: rows.length, access: accessOf(stored, labels) },
    rows: rows.map((text) => withLink(text, 'predictions_url', ({ indicator }) => `${address}/${lower(indicator)}`)),
  };
}

function accessOf(stored: JsonObject, labels: ServiceLabels): JsonObject {
  return {
    coverage_requires_key: false,
    values_require_key: true,
    note: 'Who forecasts what is public; the values need a key for every currency.',
    ...(labels.subscribeUrl !== '' && { subscribe_url: labels.subscribeUrl }),
    ...(labels.docsUrl !== '' && { docs_url: labels.docsUrl }),
    // What was received is served with the addresses that it came with.
    ...(isJsonObject(stored.access) && stored.access),
  };
}

/** A row that came with an address keeps it. */
function withLink(text: JsonText, name: string, make: (row: JsonObject) => string): JsonText {
  const row = parseObject(text);
  return row[name] === undefined ? patchRow(text, { [name]: toJsonText(make(row)) }) : text;
}

function lower(word: unknown): string {
  return String(word).toLowerCase();
}
