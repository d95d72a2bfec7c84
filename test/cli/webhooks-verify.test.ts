import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { BODY, EVENT_ID, HEADERS, SECRET, SIGNATURE, TIMESTAMP } from '../webhooks/vector.ts';

const ENV = { MACRO_WEBHOOK_SECRET: `whsec_old,${SECRET}` };
const lines = HEADERS.map(([name, value]) => `${name}: ${value}`).join('\r\n');
const har = (text: string, more: object = {}) =>
  JSON.stringify({
    log: {
      version: '1.2',
      entries: [
        { request: { method: 'GET', headers: [] } },
        { request: { headers: HEADERS.map(([name, value]) => ({ name, value })), postData: { text, ...more } } },
      ],
    },
  });
const FILES: Readonly<Record<string, string>> = {
  'headers.txt': `POST /in HTTP/1.1\r\n${lines}\r\n\r\n`,
  'headers.json': JSON.stringify(Object.fromEntries(HEADERS)),
  'body.json': BODY,
  'newline.json': `${BODY}\n`,
  'length.txt': `${lines}\r\nContent-Length: 377\r\n`,
  'cut.json': BODY.slice(0, 200),
  'altered.json': BODY.replace('3.2', '3.3'),
  'delivery.har': har(BODY),
  'base64.har': har(Buffer.from(BODY).toString('base64'), { encoding: 'base64' }),
  'curl.sh': `curl -X POST 'https://hooks.example.com/in' \\\n${HEADERS.map(([name, value]) => `  -H '${name}: ${value}' \\\n`).join('')}  --data-raw '${BODY}'\n`,
  'secrets.txt': `${SECRET}\n`,
  'other.txt': 'whsec_other\n',
};

async function run(line: string, env: Readonly<Record<string, string>> = ENV) {
  const world = testPlatform({ env, now: TIMESTAMP * 1000 });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(world.folder, name), text);
  return macro(line, world);
}

describe('macro webhooks verify', () => {
  it.each([
    'webhooks verify --headers headers.txt --body body.json',
    'webhooks verify --headers headers.json --body body.json',
    'webhooks verify --har delivery.har',
    'webhooks verify --har base64.har --entry 1',
    'webhooks verify --curl curl.sh',
  ])('%s accepts what holds', async (line) => {
    const { code, out } = await run(`${line} --format json`);
    expect([code, JSON.parse(out).data]).toEqual([
      0,
      [
        {
          result: 'valid',
          reason: 'valid',
          detail: 'the signature is that of the secret, and the body says what the headers do',
          event_id: EVENT_ID,
          timestamp: String(TIMESTAMP),
        },
      ],
    ]);
  });

  it.each([
    ['--body newline.json', 'a line end was added to the body after it was signed'],
    ['--body altered.json', 'the secret is another one than the sender’s, or body, time or event id were altered'],
    ['--body body.json --at 2026-10-15', 'the timestamp is 41397 seconds old, and at most 300 are taken'],
    [
      '--body body.json --secret-file other.txt',
      'the secret is another one than the sender’s, or body, time or event id were altered',
    ],
  ])('%s is exit 9, and says why', async (rest, detail) => {
    const { code, err } = await run(`webhooks verify --headers headers.txt ${rest}`);
    expect([code, err.split('\n')[0]]).toEqual([9, `macro: The delivery does not verify: ${detail}.`]);
  });

  it('has the same columns whatever the verdict', async () => {
    const headOf = async (body: string) =>
      (await run(`webhooks verify --headers headers.txt --body ${body} --format tsv`)).out.split('\n')[0];
    const columns = 'result\treason\tevent_id\ttimestamp\tdetail';
    expect([
      await headOf('body.json'),
      await headOf('newline.json'),
      await headOf('body.json --at 2026-10-15'),
    ]).toEqual([columns, columns, columns]);
  });

  it('says of a body that is shorter than its content-length that it was cut', async () => {
    const { code, err } = await run('webhooks verify --headers length.txt --body cut.json');
    const detail = 'the body was cut: 200 of the 377 bytes of its content-length are there';
    expect([code, err.split('\n')[0]]).toEqual([9, `macro: The delivery does not verify: ${detail}.`]);
  });

  it('without a secret asks for one, and never shows one', async () => {
    const none = await run('webhooks verify --har delivery.har', {});
    expect([none.code, none.err.includes('MACRO_WEBHOOK_SECRET')]).toEqual([4, true]);
    const wrong = await run('webhooks verify --headers headers.txt --body altered.json --verbose');
    expect(wrong.out + wrong.err).not.toContain('whsec_');
  });

  it('needs a whole delivery', async () => {
    expect((await run('webhooks verify --headers headers.txt')).code).toBe(2);
    expect((await run('webhooks verify --har body.json')).err).toContain('body.json has no signed delivery.');
    expect((await run('webhooks verify --curl body.json')).code).toBe(2);
  });
});

describe('macro webhooks sign', () => {
  it.each(['', '--format tsv', '--format csv', '--format json', '--format ndjson'])(
    'prints with %j headers that verify reads',
    async (format) => {
      const world = testPlatform({ env: ENV, now: TIMESTAMP * 1000 });
      for (const [name, text] of Object.entries(FILES)) writeFileSync(join(world.folder, name), text);
      const signed = await macro(`webhooks sign --body body.json --secret-file secrets.txt ${format}`, world);
      writeFileSync(join(world.folder, 'signed.txt'), signed.out);
      const verified = await macro('webhooks verify --headers signed.txt --body body.json --format json', world);
      expect([signed.code, verified.code, verified.err, JSON.parse(verified.out).data]).toEqual([
        0,
        0,
        '',
        [
          {
            result: 'valid',
            reason: 'valid',
            detail: 'the signature is that of the secret, and the body says what the headers do',
            event_id: EVENT_ID,
            timestamp: String(TIMESTAMP),
          },
        ],
      ]);
    },
  );

  it('makes the headers of the test vector', async () => {
    const { code, out } = await run(
      `webhooks sign --body body.json --timestamp ${TIMESTAMP} --secret-file secrets.txt --format tsv`,
    );
    expect([code, out.split('\n')]).toEqual([
      0,
      [
        'header\tvalue',
        'X-SVC-Event\tannouncement',
        `X-SVC-Event-ID\t${EVENT_ID}`,
        `X-SVC-Delivery-ID\tsub_01hzx4m2q7_${EVENT_ID}`,
        `X-SVC-Timestamp\t${TIMESTAMP}`,
        `X-SVC-Signature\t${SIGNATURE}`,
        '',
      ],
    ]);
  });

  it('needs an event to speak of', async () => {
    expect((await run('webhooks sign --body secrets.txt')).err).toContain('The body names no event');
    expect((await run('webhooks sign --body secrets.txt --event-id usd_gdp_1')).code).toBe(0);
  });
});
