import { type BodyShape, type RowTexts, spliceBody } from '../../../contract/json/body.ts';
import { asJsonText, type JsonText } from '../../../contract/json/json.ts';
import { memberSpans } from '../../../contract/json/scan.ts';
import { markedBody } from '../../coverage/mark.ts';
import type { BodyPieces } from '../made-page.ts';
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

/** A reply with the body that some pieces are, which is read when somebody wants its text. */
export function withPieces<T extends object>(
  reply: T,
  pieces: BodyPieces,
): T & { readonly body: JsonText; readonly pieces: BodyPieces } {
  return withLateBody({ ...reply, pieces }, () => textOfPieces(pieces));
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

const decoder = new TextDecoder();

/** The text of a body in pieces. */
export function textOfPieces(pieces: BodyPieces): JsonText {
  return asJsonText(pieces.map((piece) => (typeof piece === 'string' ? piece : decoder.decode(piece))).join(''));
}

function joinParts(shape: BodyShape, { envelope, rows, mark }: BodyParts): JsonText {
  const body = spliceBody(shape, envelope, rows);
  return mark ? markedBody(body, mark) : body;
}
