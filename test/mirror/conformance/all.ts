import { describe } from 'vitest';
import type { FreshMirror } from '../support.ts';
import { accessOf } from './access.ts';
import { asOfOf } from './as-of.ts';
import { asOfPagesOf } from './as-of-pages.ts';
import { catalogueOf } from './catalogue.ts';
import { columnsOf } from './columns.ts';
import { commitOf } from './commit.ts';
import { followsOf } from './follows.ts';
import { historyOf } from './history.ts';
import { journalOf } from './journal.ts';
import { ledgerOf } from './ledger.ts';
import { outboxOf } from './outbox.ts';
import { readOf } from './read.ts';
import { runsOf } from './runs.ts';
import { severalOf } from './several.ts';
import { singleMembersOf } from './single-members.ts';
import { snapshotOf } from './snapshot.ts';
import { stampOf } from './stamp.ts';
import { stateOf } from './state.ts';
import { timelineOf } from './timeline.ts';
import { togetherOf } from './together.ts';
import { upgradedOf } from './upgraded.ts';
import { vanishOf } from './vanish.ts';
import { verifyOf } from './verify.ts';
import { viewsOf } from './views.ts';
import { vintagesOf } from './vintages.ts';

/** Everything that a mirror of any engine does alike; `runs` is how many random histories are tried, each in mirrors of its own. */
export function describeMirror(engine: string, fresh: FreshMirror, runs: number): void {
  const open = async () => (await fresh()).mirror;
  describe(engine, () => {
    describe('access', () => accessOf(fresh));
    describe('as of a moment', () => asOfOf(open));
    describe('pages as of a moment', () => asOfPagesOf(open));
    describe('catalogue', () => catalogueOf(fresh));
    describe('columns', () => columnsOf(open, runs));
    describe('commit', () => commitOf(fresh));
    describe('follows', () => followsOf(open));
    describe('history', () => historyOf(fresh, runs));
    describe('journal', () => journalOf(open));
    describe('ledger', () => ledgerOf(fresh));
    describe('outbox', () => outboxOf(open));
    describe('read', () => readOf(fresh));
    describe('runs', () => runsOf(async () => (await fresh()).again));
    describe('several', () => severalOf(fresh));
    describe('single members', () => singleMembersOf(fresh));
    describe('snapshot', () => snapshotOf(fresh));
    describe('stamp', () => stampOf(fresh));
    describe('state', () => stateOf(fresh));
    describe('timeline', () => timelineOf(fresh, runs));
    describe('together', () => togetherOf(fresh));
    describe('upgraded meanwhile', () => upgradedOf(fresh));
    describe('vanish', () => vanishOf(fresh));
    describe('verify', () => verifyOf(open, runs));
    describe('views', () => viewsOf(fresh));
    describe('vintages', () => vintagesOf(fresh));
  });
}
