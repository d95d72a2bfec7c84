/** Reads the XML of a file in chunks and within limits: 16 KB can unpack to three million nested elements. */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { refuse } from './cells.ts';

/** Documents of publishers are less than ten deep. */
const MAX_DEPTH = 64;
const MAX_ATTRIBUTES = 128;
/** Max bytes between two events, such as a text, an attribute's value or a comment: the parser stores them together. */
const MAX_SPAN_BYTES = 1024 * 1024;

/** A document, and what messages call it. */
export interface XmlSource {
  readonly name: string;
  readonly pieces: Iterable<Uint8Array>;
}

/** The handlers of the parts of a document. A handler adds what it finds to the list that `readXml` was given. */
interface XmlHandlers {
  open?(tag: SaxesTagPlain, line: number): void;
  text?(text: string): void;
  close?(name: string, line: number): void;
}

/** The beginning of an element, or its text at its end where it has one. Names have no prefix. */
export interface XmlEvent {
  readonly name: string;
  /** Line of the file on which it ends, counted from 1. */
  readonly line: number;
  /** Undefined at the end of the element. */
  readonly attributes: Readonly<Record<string, string>> | undefined;
  readonly text: string;
}

/** Does a text begin as XML does? */
export const isMarkup = (head: string): boolean => /^\s*</.test(head);

/** The elements of a document in their order. @throws MacroError of kind `usage`. */
export function elementsOf(pieces: Iterable<Uint8Array>): Iterable<XmlEvent> {
  const events: XmlEvent[] = [];
  let text = '';
  return readXml({ name: 'it', pieces }, events, {
    open({ name, attributes }, line) {
      text = '';
      events.push({ name: ownName(name), line, attributes, text });
    },
    text(more) {
      text += more;
    },
    close(name, line) {
      if (text.trim() !== '') events.push({ name: ownName(name), line, attributes: undefined, text: text.trim() });
      text = '';
    },
  });
}

const ownName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The finds of the handlers after each chunk of a document. @throws MacroError of kind `usage`. */
export function* readXml<T>({ name, pieces }: XmlSource, found: T[], handlers: XmlHandlers): Generator<T> {
  const noXml = (cause: unknown) => refuse(`${name} is no XML.`, { cause });
  const tooMuch = (of: string) => refuse(`${name} has ${of}, which no file of data has.`);
  let [depth, attributes, span] = [0, 0, 0];
  const parser = new SaxesParser();
  parser.on('error', (fault) => {
    throw noXml(fault);
  });
  parser.on('attribute', () => {
    attributes += 1;
    span = 0;
    if (attributes > MAX_ATTRIBUTES) throw tooMuch(`an element of more than ${MAX_ATTRIBUTES} attributes`);
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    [attributes, span] = [0, 0];
    if (depth > MAX_DEPTH) throw tooMuch(`more than ${MAX_DEPTH} elements inside of each other`);
    handlers.open?.(tag, parser.line);
  });
  parser.on('text', (text) => {
    span = 0;
    handlers.text?.(text);
  });
  parser.on('closetag', (tag) => {
    depth -= 1;
    span = 0;
    handlers.close?.(tag.name, parser.line);
  });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (piece: Uint8Array) => {
    try {
      return decoder.decode(piece, { stream: true });
    } catch (cause) {
      throw noXml(cause);
    }
  };
  for (const piece of pieces) {
    parser.write(decoded(piece));
    span += piece.length;
    if (span > MAX_SPAN_BYTES + piece.length) throw tooMuch(`a text of more than ${MAX_SPAN_BYTES} bytes`);
    yield* found.splice(0);
  }
  parser.close();
  yield* found.splice(0);
}
