import { asJsonText, type JsonText } from '../../contract/json/json.ts';
import { memberSpans } from '../../contract/json/scan.ts';

/** A value inside of a text with the digits that it was published with; undefined for one that is null or not there. */
export function spelled(text: string, ...path: readonly string[]): JsonText | undefined {
  let at = text;
  for (const name of path) {
    const span = memberSpans(at).findLast((member) => member.name === name);
    if (!span) return undefined;
    at = at.slice(span.start, span.end);
  }
  return at === 'null' ? undefined : asJsonText(at);
}
