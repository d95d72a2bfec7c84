import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../support/platform.ts';
import { macro } from '../support/run.ts';

const configOf = (at: TestPlatform) => JSON.parse(readFileSync(join(at.folder, 'macro', 'config.json'), 'utf8'));

function withConfig(config: object): TestPlatform {
  const at = testPlatform();
  mkdirSync(join(at.folder, 'macro'), { recursive: true });
  writeFileSync(join(at.folder, 'macro', 'config.json'), JSON.stringify(config));
  return at;
}

const PROFILES = { work: { baseUrl: 'https://a.example' }, home: { baseUrl: 'https://b.example' } };

describe('macro track', () => {
  it('keeps selections of the profile in use, each once, in one spelling', async () => {
    const at = withConfig({ profile: 'work', profiles: PROFILES });
    expect((await macro('track add FX EUR/USD, announcements  usd inflation', at)).code).toBe(0);
    await macro('track add fx eur/usd, calendar usd', at);
    await macro('track add commodities --profile home', at);
    expect(configOf(at).profiles).toEqual({
      work: { ...PROFILES.work, tracks: ['fx eur/usd', 'announcements usd inflation', 'calendar usd'] },
      home: { ...PROFILES.home, tracks: ['commodities'] },
    });
  });

  it('says what brings them: nothing without a service', async () => {
    const at = withConfig({ profiles: PROFILES });
    const said = async (line: string) => (await macro(line, at)).err;
    expect(await said('track add fx eur usd')).toBe(
      'note: Tracked from now on: fx eur usd. No service is chosen yet that could bring it: macro init does that.\n',
    );
    expect(await said('track add fx eur gbp --profile home')).toBe(
      'note: Tracked from now on: fx eur gbp. macro sync brings it; macro sync --plan tells what that costs.\n',
    );
  });

  it('names the words of a selection that leaves some out', async () => {
    const { code, err } = await macro('track add fx usd');
    expect([code, err]).toEqual([2, "macro: 'fx usd' leaves out quote.\nIts words are: fx BASE QUOTE\n"]);
  });

  it('lists them with the number of series that they mean', async () => {
    const at = testPlatform();
    await macro('track add fx eur usd, commodities, announcements usd', at);
    const { out } = await macro('track list --format csv', at);
    expect(out).toBe('words,series\nfx eur usd,1\ncommodities,8\nannouncements usd,\n');
  });

  it('takes them out again', async () => {
    const at = testPlatform();
    await macro('track add fx eur usd, calendar usd', at);
    await macro('track remove calendar usd', at);
    expect((await macro('config get tracks', at)).out).toBe('fx eur usd\n');
    const { code, err } = await macro('track remove fx eur jpy', at);
    expect([code, err]).toEqual([
      2,
      "macro: 'fx eur jpy' is not tracked.\nDid you mean fx eur usd? Tracked: fx eur usd.\n",
    ]);
  });

  it('takes over the selection of an earlier version', async () => {
    const at = withConfig({ selection: 'fx eur usd, calendar usd', profile: 'work', profiles: PROFILES });
    await macro('track add sentiment', at);
    expect(configOf(at).profiles.work.tracks).toEqual(['fx eur usd', 'calendar usd', 'sentiment']);
    expect((await macro('config get tracks --profile home', at)).out).toBe('fx eur usd, calendar usd\n');
  });

  it('refuses words that mean nothing, and keeps what there was', async () => {
    const at = testPlatform();
    await macro('track add fx eur usd', at);
    expect((await macro('track add fx eur usd, weather berlin', at)).code).toBe(2);
    expect((await macro('config get tracks', at)).out).toBe('fx eur usd\n');
  });

  it('says which words no table knows, and keeps them: the service decides', async () => {
    const at = testPlatform();
    const { code, err } = await macro('track add fx eur usx, fx eur usd', at);
    expect([code, err.split('\n')[0]]).toEqual([
      0,
      'note: USX is none of the 18 currencies known for this route. Did you mean USD?',
    ]);
    expect((await macro('config get tracks', at)).out).toBe('fx eur usx, fx eur usd\n');
  });

  it('does not write behind the selection of a folder', async () => {
    const at = testPlatform();
    writeFileSync(join(at.folder, '.macrorc.json'), '{"selection":"fx eur usd"}');
    const { code, err } = await macro('track add calendar usd', at);
    expect([code, err.includes('.macrorc.json')]).toEqual([2, true]);
  });
});
