import { describe, expect, it } from 'vitest';
import { createFrameReader, type Frame } from '../../../src/client/stream/messages.ts';
import { MacroError } from '../../../src/errors.ts';

interface Read {
  readonly frames: readonly Frame[];
  readonly lastId: string | undefined;
  readonly retry: number | undefined;
}

function read(chunks: readonly (string | Uint8Array)[]): Read {
  const reader = createFrameReader();
  const frames = chunks.flatMap((chunk) =>
    reader.read(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk),
  );
  return { frames, lastId: reader.lastId, retry: reader.retry };
}

/** The same bytes cut at every place, and each by itself. */
function everyCut(text: string): readonly (readonly Uint8Array[])[] {
  const bytes = new TextEncoder().encode(text);
  const halves = Array.from({ length: bytes.length + 1 }, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
  return [[bytes], ...halves, [...bytes].map((byte) => Uint8Array.of(byte))];
}

const message = (data: string, type = 'message'): Frame => ({ type, data });

/**
 * What the web-platform tests of EventSource and the public contract suite of LaunchDarkly ask of a parser, told as bytes and
 * what they mean by the HTML standard, section 9.2.6.
 */
describe.each<[string, string, readonly Frame[], Partial<Read>?]>([
  ['one line of data', 'data: hello\n\n', [message('hello')]],
  ['two events', 'data: one\n\ndata: two\n\n', [message('one'), message('two')]],
  ['two lines of data', 'data: one\ndata: two\n\n', [message('one\ntwo')]],
  [
    'all fields',
    'event: greeting\nid: abc\nretry: 500\ndata: hi\n\n',
    [message('hi', 'greeting')],
    { lastId: 'abc', retry: 500 },
  ],
  [
    'all fields the other way round',
    'data: hi\nretry: 500\nid: abc\nevent: greeting\n\n',
    [message('hi', 'greeting')],
    { lastId: 'abc' },
  ],
  ['no blank after the colon', 'event:greeting\ndata:hi\n\n', [message('hi', 'greeting')]],
  ['more blanks than one', 'data:  two blanks \n\n', [message(' two blanks ')]],
  ['a tab, which is no blank', 'data:\ttest\rdata: \ndata:test\n\n', [message('\ttest\n\ntest')]],
  ['a field without a colon', 'data\n\ndata\ndata\n\n', [message(''), message('\n')]],
  ['empty data', 'data:\n\n', [message('')]],
  ['no data', 'event: greeting\n\ndata: x\n\n', [message('x')]],
  ['an empty kind of event', 'event: \ndata: x\n\n', [message('x')]],
  [
    'a kind of event that holds for one event only',
    'event: a\ndata: 1\n\ndata: 2\n\n',
    [message('1', 'a'), message('2')],
  ],
  [
    'fields that are not known',
    'data:test\n data\ndata\nfoobar:xxx\njustsometext\n:a comment\n\n',
    [message('test\n')],
  ],
  ['names spelled otherwise', 'Data: 1\nDATA: 2\nda-ta: 3\ndata_5\ndata: 4\n\n', [message('4')]],
  ['a comment alone', ': heartbeat\n\n', []],
  ['two comments', ':one\n:two\n\n', []],
  ['comments around and inside of an event', ':a\ndata: 1\n:b\ndata: 2\n:c\n\n:d\n\n', [message('1\n2')]],
  ['a long comment', `data:1\n:${'x'.repeat(2000)}\ndata:2\n\n`, [message('1\n2')]],
  ['CR as the end of lines', 'event: a\rdata: 1\rdata: 2\r\rdata: 3\r\r', [message('1\n2', 'a'), message('3')]],
  [
    'CRLF as the end of lines',
    'event: a\r\ndata: 1\r\ndata: 2\r\n\r\ndata: 3\r\n\r\n',
    [message('1\n2', 'a'), message('3')],
  ],
  ['line ends of all kinds', 'data:test\r\ndata\ndata:test\r\n\r', [message('test\n\ntest')]],
  [
    'control characters',
    'data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n',
    [message('\0\n 2\n1\n3\n\n4')],
  ],
  ['a byte order mark', '\uFEFFdata: 1\n\n', [message('1')]],
  ['a byte order mark later on', '\uFEFFdata:1\n\n\uFEFFdata:2\n\ndata:3\n\n', [message('1'), message('3')]],
  ['two byte order marks', '\uFEFF\uFEFFdata:1\n\ndata:2\n\n', [message('2')]],
  ['characters of several bytes', 'data: €uro 日本 😀\n\n', [message('€uro 日本 😀')]],
  ['an event that is cut off', 'data: 1\n\nid: next\ndata: 2\n', [message('1')], { lastId: undefined }],
  ['an event that is cut off in a line', 'data: 1\n\ndata: 2', [message('1')]],
  ['an id that goes on', 'id: 1\ndata: a\n\ndata: b\n\n', [message('a'), message('b')], { lastId: '1' }],
  ['an id without data', 'id: 7\n\n', [], { lastId: '7' }],
  ['an empty id', 'id: 1\ndata: a\n\nid\ndata: b\n\n', [message('a'), message('b')], { lastId: '' }],
  ['an id with NUL', 'id: 1\ndata: a\n\nid: a\0b\ndata: b\n\n', [message('a'), message('b')], { lastId: '1' }],
  ['the last of several ids', 'id: 1\nid: 2\ndata: a\n\n', [message('a')], { lastId: '2' }],
  ['a retry that is no number', 'retry: 3000\nretry: 1000x\ndata: x\n\n', [message('x')], { retry: 3000 }],
  ['an empty retry', 'retry\ndata: x\n\n', [message('x')], { retry: undefined }],
  ['a retry alone', 'retry: 20\n\n', [], { retry: 20 }],
])('%s', (_, text, frames, rest = {}) => {
  it('means the same however it is cut', () => {
    for (const chunks of everyCut(text)) expect(read(chunks)).toMatchObject({ frames, ...rest });
  });
});

describe('a stream', () => {
  it('is UTF-8 whatever it says, and a broken character is shown as one', () => {
    const bytes = Uint8Array.from([...new TextEncoder().encode('data: '), 0xff, 0xe2, 0x82, 0x0a, 0x0a]);
    expect(read([bytes]).frames).toEqual([message('\ufffd\ufffd')]);
  });

  it('may send many events at once', () => {
    const count = 10_000;
    const text = Array.from({ length: count }, (_, i) => `id: ${i}\ndata: ${i}\n\n`).join('');
    const { frames, lastId } = read([text]);
    expect([frames.length, frames.at(-1), lastId]).toEqual([count, message('9999'), '9999']);
  });

  it('may send a large event in many pieces', () => {
    const piece = 'y'.repeat(1000);
    const { frames } = read(['data: ', ...Array.from({ length: 1000 }, () => piece), '\n\n']);
    expect(frames).toEqual([message(piece.repeat(1000))]);
  });

  it.each([
    ['in one line', 'data: ', 'z'.repeat(1024 * 1024), ''],
    ['in many lines', '', `data: ${'z'.repeat(1000)}\n`, '\n'],
  ])('is refused when an event has no end, %s', (_, start, piece, end) => {
    const endless = () => read([start, ...Array.from({ length: 1100 }, () => piece), end]);
    expect(endless).toThrow(MacroError);
  });

  it('may send comments without an end', () => {
    const { frames } = read([':', ...Array.from({ length: 50 }, () => 'c'.repeat(10_000)), '\n\ndata: 1\n\n']);
    expect(frames).toEqual([message('1')]);
  });
});
