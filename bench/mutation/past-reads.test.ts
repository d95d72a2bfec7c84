import { describe } from 'vitest';
import { asOfOf } from '../../test/mirror/conformance/as-of.ts';
import { asOfPagesOf } from '../../test/mirror/conformance/as-of-pages.ts';
import { timelineOf } from '../../test/mirror/conformance/timeline.ts';
import { vintagesOf } from '../../test/mirror/conformance/vintages.ts';
import { testMirror } from '../../test/mirror/support.ts';

/** What every engine must know of the past, asked of the one that starts at once; few draws of what is drawn. */
const open = async () => (await testMirror()).mirror;

describe('as of a moment', () => asOfOf(open));
describe('pages as of a moment', () => asOfPagesOf(open));
describe('vintages', () => vintagesOf(testMirror));
describe('timeline', () => timelineOf(testMirror, 8));
