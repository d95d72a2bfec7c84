import { type BodyShape, type RowTexts, spliceBody } from '../../../contract/json/body.ts';
import type { JsonText } from '../../../contract/json/json.ts';
import { memberSpans } from '../../../contract/json/scan.ts';
import { markedBody } from '../../coverage/mark.ts';
import type { BodyParts } from './body-parts.ts';

interface Members {
  readonly envelope: JsonText;
  readonly rows: RowTexts;
  /** Names of the rows, in a map of them. */
  readonly names?: readonly string[];
}

/** The body whole, or its parts where these are asked for: of a list, and where no member beside it has its name. */
export function bodyOrParts(
  shape: BodyShape,
  { envelope, rows, names }: Members,
  inParts: boolean | undefined,
): { readonly body: JsonText | undefined; readonly parts?: BodyParts } {
  if (inParts && shape.kind === 'list' && !memberSpans(envelope).some(({ name }) => name === shape.member))
    return { body: undefined, parts: { envelope, rows } };
  return { body: spliceBody(shape, envelope, rows, names) };
}

/** A reply with the body that some parts stand for, which is put together when somebody wants it whole. */
export function withParts<T extends object>(
  reply: T,
  shape: BodyShape,
  parts: BodyParts,
): T & { readonly body: JsonText; readonly parts: BodyParts } {
  return withLateBody({ ...reply, parts }, () => joinParts(shape, parts));
}

function withLateBody<T extends object>(reply: T, make: () => JsonText): T & { readonly body: JsonText } {
  let body: JsonText | undefined;
  return {
    ...reply,
    get body() {
      body ??= make();
      return body;
    },
  };
}

function joinParts(shape: BodyShape, { envelope, rows, mark }: BodyParts): JsonText {
  const body = spliceBody(shape, envelope, rows);
  return mark ? markedBody(body, mark) : body;
}
