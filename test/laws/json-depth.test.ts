import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../src/client/stream/messages.ts';
import { verifyDelivery } from '../../src/webhooks/receive/verify.ts';
import { signDelivery } from '../../src/webhooks/sign.ts';
import { serveScripted } from '../serve/scripted-source.ts';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { bytes, EVENT_ID, headersWith, SECRET, TIMESTAMP } from '../webhooks/vector.ts';

const COUNT = 100_000;
const DEEP: Readonly<Record<string, string>> = {
  arrays: `${'['.repeat(COUNT)}${']'.repeat(COUNT)}`,
  objects: `${'{"a":'.repeat(COUNT)}1${'}'.repeat(COUNT)}`,
};
const faces = Object.entries(DEEP);

/** A world with files and a service that answers every question with one body. */
function world(files: Readonly<Record<string, string>>, body = '{}') {
  const at = testPlatform({
    env: { MACRO_BASE_URL: 'https://svc.example', MACRO_API_KEY: 'canary-key-99', MACRO_WEBHOOK_SECRET: SECRET },
    now: TIMESTAMP * 1000,
    fetch: async () => new Response(body, { headers: { 'content-type': 'application/json' } }),
  });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(at.folder, name), text);
  return at;
}

describe.each(faces)('100,000 nested %s', (_what, deep) => {
  it.each(['id', 'event', 'delivery_id', 'data'])('signed as %s of a delivery are a malformed body', (member) => {
    const body = bytes(`{"id":"${EVENT_ID}","${member}":${deep}}`);
    const signature = signDelivery({ timestamp: String(TIMESTAMP), eventId: EVENT_ID, body }, SECRET);
    const headers = headersWith({ 'x-svc-signature': signature });
    expect(verifyDelivery({ headers, body }, { secrets: [SECRET], now: TIMESTAMP })).toEqual({
      ok: false,
      reason: 'malformed_body',
      detail: 'the body is no JSON object',
    });
  });

  it.each(['%', '{"data":%}', '{"data":[%]}', '{"data":[{"date":"2026-11-20","val":1,"odd":%}]}'])(
    'in an answer such as %s are a protocol error',
    async (shape) => {
      const { code, out, err } = await macro('fx eur usd --format json', world({}, shape.replace('%', deep)));
      expect([code, out, JSON.parse(err)]).toMatchObject([7, '', { level: 'error', kind: 'protocol' }]);
    },
  );

  it('in an event of a stream make it unreadable', () => {
    expect(messagesOf({ type: 'announcement', data: `{"event_id":${deep}}` }, false)).toMatchObject({
      kind: 'unreadable',
    });
  });

  it('posted to a server are no JSON', async () => {
    const { app } = await serveScripted({ open: true });
    for (const payload of [deep, `{"series":${deep}}`]) {
      const headers = { 'content-type': 'application/json' };
      const reply = await app.inject({ method: 'POST', url: '/v1/research/panel', headers, payload });
      expect([reply.statusCode, reply.json().detail]).toEqual([
        422,
        [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid', input: null }],
      ]);
    }
  });

  it.each([
    ['settlement verify deep --keys none', 9],
    ['settlement verify record --keys deep', 2],
    ['webhooks verify --headers headers --body deep', 9],
    ['webhooks verify --headers list --body deep', 9],
    ['webhooks sign --body deep', 2],
    ['api POST /v1/research/panel --input deep', 2],
  ])('in a file of macro %s are refused without a crash', async (line, expected) => {
    const { code, err } = await macro(
      line,
      world({ deep, record: '{}', none: '{"keys":[]}', headers: 'a: b', list: `{"a":${deep}}` }),
    );
    expect([code, err]).toEqual([expected, expect.not.stringContaining('bug of macro')]);
  });

  it('in the settings of a project are refused with the name of the file', async () => {
    const { code, err } = await macro('config explain', world({ '.macrorc.json': deep }));
    expect([code, err]).toEqual([2, expect.stringContaining('.macrorc.json: it is larger than 65536 bytes.')]);
  });

  it('in a stored row are no crash', async () => {
    const at = testPlatform({ stdin: 'Date,USD,\n2026-11-20,1.1502,\n' });
    await macro('import ecb - --quiet', at);
    const path = join(at.folder, 'macro', 'mirrors', 'default.db');
    const db = new Database(path);
    db.prepare('update fx_daily set text = ?').run(`{"date":"2026-11-20","val":${deep}}`);
    db.close();
    for (const line of ['fx eur usd --offline', 'mirror verify', 'mirror export fx eur usd -o x.csv'])
      expect((await macro(line, at)).err, line).not.toContain('Maximum call stack');
  });
});

it('everything is read in one way', () => {
  const src = join(import.meta.dirname, '../../src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const parsers = files.filter((file) => readFileSync(join(src, file), 'utf8').includes('JSON.parse('));
  expect(parsers.sort()).toEqual([
    // A copy of a value of ours.
    'client/manage.ts',
    // Books of ours.
    'client/quota/ledger.ts',
    'contract/json/json.ts',
    // A name.
    'contract/json/scan.ts',
    // Help that the build has printed.
    'main.ts',
    // Answers of this program, whose numbers keep their spelling.
    'mcp/call-tool.ts',
    // An example of ours.
    'openapi/document.ts',
    // What a program of the machine prints.
    'platform/schedule/systemd.ts',
    // Answers of this server, whose numbers keep their spelling.
    'serve/faults/spoil-answer.ts',
  ]);
});
