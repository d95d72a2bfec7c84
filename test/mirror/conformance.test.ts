import { describeMirror } from './conformance/all.ts';
import { testMirror } from './support.ts';

describeMirror('SQLite', testMirror);
