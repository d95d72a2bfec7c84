/**
 * Heads that are alike but for the values of some headers. All else is the same text, so the parser makes of each what it made
 * of the first one.
 */
export interface HeadForm {
  /**
   * Names and values in turn, as the parser would list them for a head of this form with a body of `length` bytes. Undefined
   * for any other head.
   */
  read(rest: string, length: number): readonly string[] | undefined;
}

/** A value that no reader trims, unfolds or decodes. */
const PLAIN_VALUE = /[\w=.,:+/-]+(?=\r)/y;
const BEGIN = ' HTTP/1.1\r\n';
const LENGTH = 'content-length';

/**
 * The form of a head that the parser read: `rest` is its text behind the address, `headers` what the parser listed. Undefined
 * when the text is not that very list, each header spelled as name, colon, space, value.
 */
export function headFormOf(
  rest: string,
  headers: readonly string[],
  varies: (name: string) => boolean,
): HeadForm | undefined {
  const pieces: string[] = [];
  const slots: number[] = [];
  let lengthAt: number | undefined;
  let text = BEGIN;
  let piece = BEGIN;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2);
    text += `${name}: ${value}\r\n`;
    const isLength = name.toLowerCase() === LENGTH;
    if (isLength) lengthAt = at + 1;
    if (isLength || varies(name)) {
      pieces.push(`${piece}${name}: `);
      slots.push(at + 1);
      piece = '\r\n';
    } else piece += `${name}: ${value}\r\n`;
  }
  if (lengthAt === undefined || `${text}\r\n` !== rest) return undefined;
  return formOf({ pieces, slots, last: `${piece}\r\n`, headers: [...headers], lengthAt });
}

interface FormParts {
  /** What stands before each value that differs. */
  readonly pieces: readonly string[];
  /** Where in the list these values stand. */
  readonly slots: readonly number[];
  /** What stands behind the last of them. */
  readonly last: string;
  readonly headers: readonly string[];
  readonly lengthAt: number;
}

function formOf({ pieces, slots, last, headers, lengthAt }: FormParts): HeadForm {
  return {
    read(rest, length) {
      const read = [...headers];
      let at = 0;
      for (let i = 0; i < slots.length; i += 1) {
        const piece = pieces[i] ?? '';
        if (!rest.startsWith(piece, at)) return undefined;
        at += piece.length;
        PLAIN_VALUE.lastIndex = at;
        if (!PLAIN_VALUE.test(rest)) return undefined;
        read[slots[i] ?? 0] = rest.slice(at, PLAIN_VALUE.lastIndex);
        at = PLAIN_VALUE.lastIndex;
      }
      const isWhole = rest.length === at + last.length && rest.endsWith(last);
      return isWhole && read[lengthAt] === String(length) ? read : undefined;
    },
  };
}
