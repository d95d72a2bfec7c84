import { describe } from 'vitest';
import { POSTGRES_BIN } from '../../support/postgres.ts';
import { draws } from '../../support/properties.ts';
import { describeMirror } from '../conformance/all.ts';
import { serverMirror } from './support.ts';

describe.skipIf(POSTGRES_BIN === undefined)('a mirror on a server', () =>
  describeMirror('PostgreSQL', serverMirror, draws(5)),
);
