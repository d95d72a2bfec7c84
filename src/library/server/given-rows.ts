import type { Endpoint } from '../../contract/endpoint.ts';
import { isJsonObject, type JsonObject } from '../../contract/json/json.ts';
import { memberFor } from '../../contract/mapping.ts';
import { endpointById, MAPPINGS } from '../../endpoints/index.ts';
import { MacroError } from '../../errors.ts';
import type { Mirror } from '../../mirror/api/mirror.ts';
import { SANDBOX_SEED } from '../../sandbox/open.ts';
import { commitOfSeries, rowOf } from '../../sandbox/rows.ts';
import { createWorld } from '../../sandbox/world.ts';
import type { GivenSeries } from '../api/server.ts';

/** Writes the rows of a test as generated data that are whole at a moment, in milliseconds. */
export async function commitGiven(mirror: Mirror, given: readonly GivenSeries[], now: number): Promise<void> {
  const world = createWorld({ seed: SANDBOX_SEED, size: 'small', now });
  for (const series of given) {
    const endpoint = endpointOf(series);
    const rows = series.rows.map((row, at) => checkedRow(endpoint, row, at));
    const { scope, envelope } = series;
    await mirror.commitPage(
      commitOfSeries(world, {
        ...{ endpoint: endpoint.id, scope: checkedScope(endpoint, scope), rows },
        ...(isJsonObject(envelope) && { envelope }),
      }),
    );
  }
}

function endpointOf({ endpoint: id }: GivenSeries): Endpoint {
  const endpoint = endpointById(id);
  if (endpoint?.mirror) return endpoint;
  throw new MacroError('usage', `Rows of '${id}' cannot be given.`, {
    hint: `Legal endpoints: ${Object.keys(MAPPINGS).join(', ')}.`,
  });
}

function checkedScope({ id, mirror }: Endpoint, scope: GivenSeries['scope']): GivenSeries['scope'] {
  const names = [...(mirror?.scope ?? [])];
  if (names.toSorted().join() === Object.keys(scope).toSorted().join()) return scope;
  throw new MacroError('usage', `A series of ${id} is named by ${names.join(', ') || 'nothing'}.`, {
    hint: `Give a scope with ${names.length === 0 ? 'no members' : `the members ${names.join(', ')}`}.`,
  });
}

/** A row without its key could not be kept, and one without a member that every row has would be no answer of the service. */
function checkedRow({ id, row: shape, mirror, body }: Endpoint, row: object, at: number) {
  const value: JsonObject = isJsonObject(row) ? row : {};
  const required = Array.isArray(shape.required) ? shape.required.map(String) : [];
  const keys = (mirror?.key ?? []).filter((column) => column.otherwise === undefined);
  const named = body.kind === 'map' ? body.keyName : undefined;
  const missing = [
    ...required.filter((name) => value[name] === undefined),
    ...keys.filter((column) => memberFor(value, column) === undefined).map(({ from, name }) => from ?? name),
  ];
  if (missing.length > 0)
    throw new MacroError('usage', `Row ${at} of ${id} lacks ${[...new Set(missing)].join(', ')}.`, {
      hint: `Every row of ${id} has ${[...new Set([...required, ...keys.map(({ from, name }) => from ?? name)])].join(', ')}.`,
    });
  return rowOf(id, value, named === undefined ? undefined : String(value[named]));
}
