import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';
import { sandboxPath } from '../support/service.ts';

describe('--schema', () => {
  it.each(['fx eur usd', 'announcements usd inflation', 'calendar usd', 'announcements latest usd', 'sessions'])(
    'of %s describes the rows that ndjson prints',
    async (line) => {
      const mirror = await sandboxPath(testPlatform({}).platform);
      const schema = await macro(`${line} --schema`);
      const rows = await macro(`${line} --offline --format ndjson --mirror ${mirror}`);
      expect([schema.code, rows.code]).toEqual([0, 0]);
      const isRow = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(schema.out));
      const lines = rows.out.trimEnd().split('\n');
      expect(lines.filter((row) => !isRow(JSON.parse(row)))).toEqual([]);
      expect(isRow({})).toBe(false);
    },
  );

  it('needs no words of the question', async () => {
    const { code, out } = await macro('fx session --schema');
    expect([code, JSON.parse(out).title]).toEqual([0, 'fx_session_rates']);
  });
});

describe('messages under --format json', () => {
  it.each([
    'fx eur usd --offline --format json',
    'announcements usd cpi --offline --format json',
    'frobnicate --format json',
    'fx eur usd --format json --limit x',
    'next --format json',
  ])('%s: each is one object with level and code', async (line) => {
    const { err } = await macro(line);
    const messages = err
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages)
      expect(message).toMatchObject({
        level: expect.stringMatching(/^(note|warning|error)$/),
        code: expect.any(String),
        message: expect.any(String),
      });
  });
});
