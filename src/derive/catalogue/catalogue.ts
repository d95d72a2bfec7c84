import { needsKey, PUBLIC_CURRENCY } from '../../contract/access.ts';
import type { Derived, Envelope, PageView, Route } from '../../contract/hooks.ts';
import { isJsonObject, type JsonText } from '../../contract/json.ts';

export interface CatalogueArgs {
  readonly currency: string;
  readonly include_capabilities: boolean;
  readonly include_coverage: boolean;
  readonly indicator?: string | undefined;
}

/** The members that the catalogue adds when asked: how complete the series are, and what the routes of a currency need. */
export function deriveCatalogue(view: PageView<CatalogueArgs>): Derived {
  const { args } = view;
  return {
    envelope: {
      coverage: args.include_coverage ? coverageOf(view) : undefined,
      capabilities: args.include_capabilities ? capabilitiesOf(args.currency, view.routes ?? []) : undefined,
    },
  };
}

/** The older list: the coverage of each entry under its slug. `indicator` filters it and nothing else. */
function coverageOf({ args, rows, names = [] }: PageView<CatalogueArgs>): readonly Envelope[] {
  return rows.flatMap((text, i) => {
    const indicator = names[i];
    if (indicator === undefined || (args.indicator !== undefined && indicator !== args.indicator)) return [];
    return [{ indicator, ...coverageIn(text) }];
  });
}

function coverageIn(text: JsonText): Envelope {
  const entry: unknown = JSON.parse(text);
  return isJsonObject(entry) && isJsonObject(entry.coverage) ? entry.coverage : {};
}

/** What each route that takes the currency asks for. Wire facts, section 9.7. */
export function capabilitiesOf(currency: string, routes: readonly Route[]): Envelope {
  const offered = routes.filter(({ currencies }) => currencies === undefined || currencies.includes(currency));
  return {
    currency,
    endpoints: offered.map(({ path, method, access }) => ({
      path,
      method,
      // A list filter that is narrowed answers a keyless caller with the public currency only.
      requires_api_key: access.narrows === undefined ? needsKey(access, { currency }) : currency !== PUBLIC_CURRENCY,
    })),
    auth: {
      header: 'X-API-Key',
      bearer: 'Authorization: Bearer',
      keyless_scope:
        currency === PUBLIC_CURRENCY
          ? 'Public routes, and USD announcements of the last 90 days, 15 minutes after their release.'
          : 'Public routes only: this currency needs a key.',
    },
  };
}
