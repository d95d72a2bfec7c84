import { expect, test } from 'vitest';
import type { Receipt } from '../../src/webhooks/receive/receive.ts';
import type { ReceivedDelivery } from '../../src/webhooks/receive/verify.ts';
import fc from '../support/properties.ts';
import { BODY, type Both, type BothPeer, DELIVERY_LINES, post, startBoth, turn } from './both-receivers.ts';

/** Answers after some turns, as the body decides, so that what comes meanwhile has to wait. */
async function judge({ body }: ReceivedDelivery): Promise<Receipt> {
  const sum = body.reduce((total, byte) => total + byte, 0);
  for (let i = sum % 4; i > 0; i -= 1) await turn();
  if (sum % 11 === 0) throw new TypeError('a bug');
  if (sum % 7 === 0) return { status: 503, refusal: { code: 'locked', detail: 'it is locked' } };
  return { status: 204 };
}

/** What readers of HTTP are known to differ in. */
const ODD = [
  '',
  ' ',
  '\t',
  '\r',
  '\n',
  '\r\n',
  ':',
  ',',
  '\u0000',
  '\u007f',
  '\u00e4',
  '"',
  ';',
  'a',
  '0',
  '+',
  '=',
  '/',
  '%0d',
];
const MORE_LINES = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: identity',
  'Content-Length: 0',
  `Content-Length: ${BODY.length}`,
  'Expect: 100-continue',
  'Connection: close',
  'Connection: keep-alive',
  'Keep-Alive: timeout=60',
  'Connection: Upgrade',
  'Upgrade: h2c',
  'TE: trailers',
  'Trailer: X-SVC-Signature',
  'Host: elsewhere',
  'X-SVC-Signature: v1=00',
  'x-svc-event-id: other',
  'X-Forwarded-For: 203.0.113.7',
  ' folded',
  '\tfolded',
  'no colon',
  'Last-Event-ID: 7',
];
const BEGINS = [
  'GET /webhook HTTP/1.1',
  'POST /webhook?a=1 HTTP/1.1',
  'POST /elsewhere HTTP/1.1',
  'POST /webhook HTTP/1.0',
  'POST  /webhook HTTP/1.1',
  'post /webhook HTTP/1.1',
];

const bodies = fc.oneof(
  fc.constantFrom(BODY, '', '{}', post(DELIVERY_LINES), '0\r\n\r\n', `${BODY}\r\n\r\n`),
  fc.string({ maxLength: 60 }).map((text) => Buffer.from(text).toString('latin1')),
  fc.nat({ max: 9_000 }).map((count) => 'z'.repeat(count)),
);

type Change<Whole> = (whole: Whole) => Whole;

const place = fc.nat({ max: 5 });
const lineChange: fc.Arbitrary<Change<readonly string[]>> = fc.oneof(
  fc.tuple(place, fc.oneof(fc.constantFrom(...ODD), fc.string({ maxLength: 12 }))).map(
    ([at, value]) =>
      (lines: readonly string[]) =>
        lines.map((line, i) => (i === at ? `${line.slice(0, line.indexOf(':'))}: ${value}` : line)),
  ),
  fc.tuple(place, fc.constantFrom(...MORE_LINES)).map(
    ([at, line]) =>
      (lines: readonly string[]) =>
        lines.toSpliced(at, 0, line),
  ),
  place.map((at) => (lines: readonly string[]) => lines.flatMap((line, i) => (i === at ? [line, line] : [line]))),
  place.map((at) => (lines: readonly string[]) => lines.toSpliced(at, 1)),
  place.map((at) => (lines: readonly string[]) => lines.map((line, i) => (i === at ? line.toLowerCase() : line))),
);

/** A byte put in, taken out or replaced anywhere, or a length that is not that of the body or is spelled oddly. */
const byteChange: fc.Arbitrary<Change<string>> = fc.oneof(
  fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 2 }), fc.constantFrom(...ODD)).map(
    ([at, gone, put]) =>
      (text: string) =>
        text.slice(0, at) + put + text.slice(at + gone),
  ),
  fc
    .integer({ min: -2, max: 2 })
    .map((by) => (text: string) => text.replace(/(?<=Length: )\d+/, (count) => String(Number(count) + by))),
  fc
    .constantFrom('0$&', '$& ', '+$&', '$&,$&', 'x')
    .map((by) => (text: string) => text.replace(/(?<=Length: )\d+/, by)),
);

/** Most have none, so that most conversations reach the shortcut before something odd comes. */
const rarely = <Item>(item: fc.Arbitrary<Item>, most: number) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<Item[]>([]) },
    { weight: 1, arbitrary: fc.array(item, { maxLength: most }) },
  );

const request = fc
  .tuple(rarely(fc.constantFrom(...BEGINS), 1), bodies, rarely(lineChange, 2), rarely(byteChange, 2))
  .map(([[begin], body, lineChanges, byteChanges]) => {
    const lines = lineChanges.reduce<readonly string[]>((all, change) => change(all), DELIVERY_LINES);
    return byteChanges.reduce((text, change) => change(text), post(lines, body, begin));
  });

/** What is said at once, in pieces; then whoever says it listens, or goes on. */
const utterance = fc.record({
  text: fc.tuple(request, rarely(request, 3)).map(([first, more]) => [first, ...more].join('')),
  cuts: rarely(fc.nat({ max: 900 }), 3),
  listens: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
});

interface Utterance {
  readonly text: string;
  readonly cuts: readonly number[];
  readonly listens: boolean;
}

async function say(both: Both, peers: readonly BothPeer[], { text, cuts, listens }: Utterance): Promise<void> {
  let from = 0;
  for (const end of [...cuts.toSorted((a, b) => a - b), text.length]) {
    for (const peer of peers) peer.say(text.slice(from, end));
    from = Math.max(from, end);
    if (from < text.length) await both.settle(peers);
  }
  if (listens) await both.settle(peers);
  else await turn();
}

const PLAIN: Utterance = { text: post(DELIVERY_LINES), cuts: [], listens: true };

test('whatever is said, the receiver takes and answers the same with the shortcut as without it', {
  timeout: 600_000,
}, async () => {
  const both = await startBoth(judge);
  let [said, before] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(utterance, { minLength: 1, maxLength: 8 }), fc.boolean(), async (utterances, ends) => {
      const peers = await both.peers();
      for (const one of [PLAIN, PLAIN]) await say(both, peers, one);
      before -= both.parsed();
      for (const one of utterances) {
        // On a connection that has ended nothing is said.
        if (peers[0].heard().isOpen) said += 1;
        await say(both, peers, one);
      }
      await both.settle(peers);
      before += both.parsed();
      await both.settle(peers);
      if (ends) {
        for (const { socket } of peers) socket.end();
        await both.settle(peers);
      }
      const [short, plain] = peers.map((peer) => peer.heard());
      for (const { socket } of peers) socket.destroy();
      await both.settle(peers);
      expect(short).toEqual(plain);
      expect(both.seen[0]).toEqual(both.seen[1]);
      for (const seen of both.seen) for (const list of Object.values(seen)) list.length = 0;
    }),
    { numRuns: 300 },
  );
  // Without many that go past the parser nothing was compared.
  expect(said - before).toBeGreaterThan(300);
});
