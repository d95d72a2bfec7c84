import { expect, test } from 'vitest';
import { compiledEarly } from '../../scripts/compile-early.mjs';

/** The text as it is rewritten when the functions that begin with these words ran; each is one of the text. */
function early(text: string, ...ran: readonly string[]): string {
  return compiledEarly(
    text,
    ran.map((code) => [text.indexOf(code), text.indexOf(code) + code.length]),
  );
}

test('a declaration moves to where its file, function or block begins, behind directives', () => {
  const inner = 'function b(x){return x}';
  const outer = `function a(){"use strict";return b(1);${inner}}`;
  expect(early(`a();${outer}function c(){}`, outer, inner)).toBe(
    'var a=(function(){"use strict";var b=(function(x){return x});return b(1);});\na();function c(){}',
  );
  const generator = 'async function*g(){}';
  expect(early(`{g();${generator}}`, generator)).toBe('{let g=(async function*(){});g();}');
});

test('a function expression gets brackets, and so does an arrow', () => {
  expect(early('const f=function(){},g=x=>y=>x,h=()=>1', 'function(){}', 'x=>y=>x', 'y=>x')).toBe(
    'const f=(function(){}),g=(x=>(y=>x)),h=()=>1',
  );
});

test('an async arrow becomes a function, unless it needs what only the function around it has', () => {
  expect(early('const f=async x=>({x}),g=async(x,y=1)=>{await x}', 'async x=>({x})', 'async(x,y=1)=>{await x}')).toBe(
    'const f=(async function(x){return(({x}))}),g=(async function(x,y=1){await x})',
  );
  const kept = ['async()=>this.x', 'async()=>arguments[0]', 'async()=>new.target', 'async()=>()=>super.x()'];
  for (const code of kept) {
    const text = `({m(){return ${code}}})`;
    expect(early(text, code)).toBe(text);
  }
});

test('a method of an object becomes a member, unless a member would mean something else', () => {
  const [plain, named, maker] = ['m(x){return x}', '"a b"(){}', 'async*g(){}'];
  expect(early(`({${plain},${named},${maker}})`, plain, named, maker)).toBe(
    '({m:(function(x){return x}),"a b":(function(){}),g:(async function*(){})})',
  );
  for (const kept of ['__proto__(){}', '"__proto__"(){}', '[k](){}', 'get x(){}', 'm(){return super.m()}'])
    expect(early(`({${kept}})`, kept)).toBe(`({${kept}})`);
});

test('methods of a class are put into its prototype as a class does it, unless something static might want them before', () => {
  const text = 'class A{x=1;m(){return value}n(){}constructor(){}}';
  const rewritten = early(text, 'm(){return value}', 'constructor(){}');
  expect(rewritten).toBe(
    'class A{static{Object.entries({m:(function(){return value})}).forEach(([name,value])=>Object.defineProperty(this.prototype,name,{value,writable:!0,configurable:!0}))}x=1;n(){}constructor(){}}',
  );
  const made = (code: string) =>
    new Function(
      'value',
      `${code};return [new A().m(),A.prototype.m.name,Object.keys(A.prototype),Object.getOwnPropertyDescriptor(A.prototype,'m')];`,
    )(7);
  expect(made(rewritten)).toEqual([
    7,
    'm',
    [],
    { value: expect.any(Function), writable: true, enumerable: false, configurable: true },
  ]);
  for (const kept of ['static y=new A;', 'static{}', 'static s(){}'])
    expect(early(`class A{${kept}m(){}}`, 'm(){}')).toBe(`class A{${kept}m(){}}`);
  for (const kept of ['get x(){}', 'm(){super.m()}', '#p(){}'])
    expect(early(`class A{${kept}}`, kept)).toBe(`class A{${kept}}`);
});
