import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { passwordFor, passwordIn } from '../../../src/mirror/postgres/address.ts';
import { freshFolder } from '../../support/platform.ts';

const place = { host: 'db.example', port: 5432, database: 'markets', user: 'desk' };

describe("libpq's file of passwords", () => {
  it.each([
    ['db.example:5432:markets:desk:secret', 'secret'],
    ['*:*:*:desk:secret', 'secret'],
    ['# db.example:5432:markets:desk:no\nother:5432:markets:desk:no\n*:*:markets:*:yes', 'yes'],
    ['db.example:5432:markets:desk:a\\:b\\\\c', 'a:b\\c'],
    ['db.example:5432:markets:desk:', ''],
    ['db.example:5433:markets:desk:secret', undefined],
    ['db.example:5432:markets:other:secret', undefined],
    ['db.example:5432:markets', undefined],
    ['', undefined],
  ])('%j gives %j', (text, password) => {
    expect(passwordIn(text, place)).toBe(password);
  });

  it('calls a socket of this machine localhost', () => {
    expect(passwordIn('localhost:5432:*:desk:secret', { ...place, host: '/run/postgresql' })).toBe('secret');
  });

  it('is passed over when others may read it, and when there is none', () => {
    const home = freshFolder();
    const file = join(home, '.pgpass');
    expect(passwordFor(place, { HOME: home })).toBeUndefined();
    writeFileSync(file, '*:*:*:*:secret\n', { mode: 0o644 });
    expect(passwordFor(place, { HOME: home })).toBeUndefined();
    chmodSync(file, 0o600);
    expect(passwordFor(place, { HOME: home })).toBe('secret');
    expect(passwordFor(place, { PGPASSFILE: file })).toBe('secret');
  });
});
