import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create.ts';
import { readParams } from '../../src/contract/params/read-params.ts';
import { endpointById } from '../../src/endpoints/index.ts';
import type { Fetch } from '../../src/platform/platform.ts';
import { createLiveSource } from '../../src/source/live.ts';
import type { Question } from '../../src/source/source.ts';
import { testPlatform } from '../support/platform.ts';
import { freshMirror, SERVICE_URL, serviceOver } from '../support/service.ts';

// Real answers of the service, recorded without a key on this instant; they are not part of this project.
const FOLDER = '../shared/fixtures/recorded/probe';
const RECORDED_AT = '2026-09-19T08:57:59Z';

function question(id: string, path: Record<string, string>, query: Record<string, string> = {}): Question {
  const endpoint = endpointById(id);
  if (!endpoint) throw new Error(`no endpoint ${id}`);
  return {
    endpoint,
    args: readParams(endpoint, { path, query }, { mode: 'strict', now: Date.parse(RECORDED_AT) }).args,
  };
}

/** The recorded text through the real client into a mirror, and out of the real server again, keyless, at that instant. */
async function throughEverything(text: string, asked: Question, url: string): Promise<unknown> {
  const recorded: Fetch = async () => new Response(text, { headers: { 'content-type': 'application/json' } });
  const { platform, clock } = testPlatform({ now: RECORDED_AT, fetch: recorded });
  const mirror = await freshMirror(platform);
  const client = createClient({ platform, baseUrl: SERVICE_URL });
  await createLiveSource({ client, mirror }).ask(asked, { caller: { kind: 'keyless' }, now: clock.now() });
  const service = await serviceOver(mirror, platform);
  const answer = await service.fetch(SERVICE_URL + url, {});
  expect(answer.status).toBe(200);
  return answer.json();
}

const read = (name: string) => readFileSync(`${FOLDER}/${name}`, 'utf8');

describe.skipIf(!existsSync(FOLDER))('recorded answers of the service (skipped where they are not at hand)', () => {
  it('a whole body comes out deeply equal, unknown members included', async () => {
    const text = read('announcements_usd_inflation_limit3.json');
    const asked = question('announcements', { currency: 'usd', indicator: 'inflation' }, { limit: '3' });
    const answer = await throughEverything(text, asked, '/v1/announcements/usd/inflation?limit=3');
    expect(answer).toEqual(JSON.parse(text));
  });

  it('every row of a calendar excerpt comes out, and the rows are counted again', async () => {
    const text = read('calendar_usd_excerpt.json');
    const answer = await throughEverything(text, question('calendar', { currency: 'usd' }), '/v1/calendar/usd');
    const told = JSON.parse(text);
    const data_quality = {
      ...told.data_quality,
      row_count: 5,
      announcement_datetime_count: 5,
      unverified_vintage_count: 5,
      latest_available_date: '2026-10-14',
    };
    expect(answer).toEqual({ ...told, data_quality });
  });

  it('every entry of a catalogue excerpt comes out, one of a slug outside the tables among them', async () => {
    const text = read('data_catalogue_usd_excerpt.json');
    const answer = await throughEverything(
      text,
      question('data_catalogue', { currency: 'usd' }),
      '/v1/data_catalogue/usd',
    );
    expect(answer).toEqual(JSON.parse(text));
  });
});
