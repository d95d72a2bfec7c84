import { describe } from 'vitest';
import { POSTGRES_BIN } from '../../support/postgres.ts';
import { asOfOf } from '../conformance/as-of.ts';
import { columnsOf } from '../conformance/columns.ts';
import { followsOf } from '../conformance/follows.ts';
import { journalOf } from '../conformance/journal.ts';
import { outboxOf } from '../conformance/outbox.ts';
import { runsOf } from '../conformance/runs.ts';
import { verifyOf } from '../conformance/verify.ts';
import { serverMirror } from './support.ts';

describe.skipIf(POSTGRES_BIN === undefined)('PostgreSQL', () => {
  const fresh = async () => (await serverMirror()).mirror;
  describe('as of a moment', () => asOfOf(fresh));
  describe('columns', () => columnsOf(fresh));
  describe('follows', () => followsOf(fresh));
  describe('journal', () => journalOf(fresh));
  describe('outbox', () => outboxOf(fresh));
  describe('runs', () => runsOf(async () => (await serverMirror()).again));
  describe('verify', () => verifyOf(fresh));
});
