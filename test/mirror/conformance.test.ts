import { draws } from '../support/properties.ts';
import { describeMirror } from './conformance/all.ts';
import { testMirror } from './support.ts';

describeMirror('SQLite', testMirror, draws(20));
