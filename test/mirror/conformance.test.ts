import { describe } from 'vitest';
import { asOfOf } from './conformance/as-of.ts';
import { columnsOf } from './conformance/columns.ts';
import { followsOf } from './conformance/follows.ts';
import { journalOf } from './conformance/journal.ts';
import { outboxOf } from './conformance/outbox.ts';
import { runsOf } from './conformance/runs.ts';
import { verifyOf } from './conformance/verify.ts';
import { testMirror } from './support.ts';

describe('SQLite', () => {
  describe('as of a moment', () => asOfOf(async () => (await testMirror()).mirror));
  describe('columns', () => columnsOf(async () => (await testMirror()).mirror));
  describe('follows', () => followsOf(async () => (await testMirror()).mirror));
  describe('journal', () => journalOf(async () => (await testMirror()).mirror));
  describe('outbox', () => outboxOf(async () => (await testMirror()).mirror));
  describe('runs', () => runsOf(async () => (await testMirror()).again));
  describe('verify', () => verifyOf(async () => (await testMirror()).mirror));
});
