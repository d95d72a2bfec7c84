import type { BodyShape } from '../../contract/json/body.ts';
import { asJsonText, type JsonText } from '../../contract/json/json.ts';
import { memberSpans } from '../../contract/json/scan.ts';

/** A map with these rows instead of its own; what stands beside them keeps its spelling, long numbers included. */
export function spliceMap(
  shape: BodyShape & { readonly kind: 'map' },
  body: string,
  rows: readonly (readonly [name: string, text: JsonText])[],
): JsonText {
  const spans = memberSpans(body);
  const [only] = spans;
  if (only && spans.length === 1 && only.name === shape.wrapper)
    return spliceMap(shape, body.slice(only.start, only.end), rows);
  const beside = spans.filter(({ name, start }) => shape.besides.includes(name) || body[start] !== '{');
  const members = [...rows, ...beside.map(({ name, start, end }) => [name, body.slice(start, end)] as const)];
  return asJsonText(`{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`);
}
