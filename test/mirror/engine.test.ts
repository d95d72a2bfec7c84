import { describe, expect, it } from 'vitest';
import { checkMirrorName } from '../../src/mirror/rules/engine.ts';

describe('the name of a mirror', () => {
  it.each(['rates.db', '/var/lib/a:b.db', 'C:\\mirrors\\rates.db', 'postgres://desk@db.example/markets'])(
    'may be %s',
    (name) => {
      expect(checkMirrorName(name)).toBe(name);
    },
  );

  it.each(['mysql://db.example/markets', 'https://db.example/markets', 'file:///var/lib/rates.db'])(
    'may not be %s, which is neither a path nor a server that is known',
    (name) => {
      expect(() => checkMirrorName(name)).toThrow(expect.objectContaining({ kind: 'usage', code: 'unknown_engine' }));
    },
  );

  it.each(['postgres://desk:secret@db.example/markets', 'postgres://desk@db.example/markets?password=secret'])(
    'may not contain a password: %s',
    (name) => {
      expect(() => checkMirrorName(name)).toThrow(expect.objectContaining({ code: 'password_in_address' }));
    },
  );
});
