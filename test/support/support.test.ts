import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { TEST_NOW, testPlatform } from './platform.ts';
import { scriptUpstream } from './upstream.ts';

describe('the test platform', () => {
  test('starts at its fixed time, and a sleep moves it on', async () => {
    const { platform, clock } = testPlatform();
    await platform.clock.sleep(1500);
    expect(platform.clock.now()).toBe(TEST_NOW + 1500);
    expect(clock.slept).toEqual([1500]);
  });

  test('with a clock that waits, sleepers wake in the order of their times', async () => {
    const { platform, clock } = testPlatform({ sleeping: 'waits', now: 0 });
    const woken: string[] = [];
    void platform.clock.sleep(200).then(() => woken.push(`late at ${platform.clock.now()}`));
    void platform.clock.sleep(100).then(() => woken.push(`early at ${platform.clock.now()}`));
    await clock.advance(150);
    expect(woken).toEqual(['early at 100']);
    await clock.advance(150);
    expect(woken).toEqual(['early at 100', 'late at 200']);
    expect(platform.clock.now()).toBe(300);
  });

  test('the same seed gives the same randomness', () => {
    const draw = () => {
      const { random } = testPlatform({ seed: 7 }).platform;
      return [random.number(), ...random.bytes(4)];
    };
    expect(draw()).toEqual(draw());
  });

  test('captures what is written, hands out the given input and signals', async () => {
    const { platform, out, err, interrupt } = testPlatform({ stdin: 'abc' });
    const heard: string[] = [];
    const stop = platform.signals.onInterrupt((signal) => heard.push(signal));
    await platform.io.stdout.write('rows\n');
    await platform.io.stderr.write('note\n');
    interrupt('SIGTERM');
    stop();
    interrupt('SIGINT');
    expect([out(), err(), heard]).toEqual(['rows\n', 'note\n', ['SIGTERM']]);
    expect(new TextDecoder().decode(await platform.io.stdin.readBytes())).toBe('abc');
  });

  test('has a folder of its own', () => {
    const { folder, platform } = testPlatform();
    expect(existsSync(folder)).toBe(true);
    expect(platform.cwd).toBe(folder);
    expect(platform.env.MACRO_HOME?.startsWith(folder)).toBe(true);
  });

  test('refuses requests unless a fetch is given', async () => {
    await expect(testPlatform().platform.fetch('https://h.example/', {})).rejects.toThrow('expects no request');
  });
});

describe('the scripted service', () => {
  test('answers what is expected, in any order of the query', async () => {
    const upstream = scriptUpstream([{ request: 'GET /v1/x?a=1&b=2', body: { ok: true }, headers: { etag: 'W/"1"' } }]);
    const response = await upstream.fetch('https://h.example/v1/x?b=2&a=1', {});
    expect(await response.json()).toEqual({ ok: true });
    expect(response.headers.get('etag')).toBe('W/"1"');
    upstream.verify();
  });

  test('tells of unknown requests, wrong headers and unused answers', async () => {
    const upstream = scriptUpstream([
      { request: 'GET /v1/x', sent: { 'x-api-key': null } },
      { request: 'GET /v1/never' },
    ]);
    await upstream.fetch('https://h.example/v1/x', { headers: { 'x-api-key': 'k' } });
    await expect(upstream.fetch('https://h.example/v1/other', {})).rejects.toThrow('Unexpected request');
    expect(() => upstream.verify()).toThrow(/x-api-key should be null, was k\n.*\/v1\/other\n.*\/v1\/never/s);
  });
});
