// Writes a text so that V8 compiles functions of it together with their file. A function expression in brackets is one that is
// about to be called, it takes that for a hint. Declarations, methods and async arrows get no such hint, so they become
// function expressions.
import { parseAst } from 'vitest/node';

/**
 * The text of a module with the same meaning, in which the functions that `ran` are compiled early. `ran`: from where to where
 * they stand, as V8 tells it. The text is plain ASCII: the parser counts bytes.
 */
export function compiledEarly(text, ran) {
  const starts = Map.groupBy(ran, ([, end]) => end);
  const isRun = ({ end, body }, start) =>
    (starts.get(end) ?? []).some(([place]) => place >= start && place < body.start);
  const edits = [];
  visit(parseAst(text), undefined, (node, parent) => {
    for (const rule of [moveDeclarations, bracket, freeMethods, freeClassMethods])
      edits.push(...rule(node, { text, parent, isRun }));
  });
  edits.sort((a, b) => a.start - b.start || Number(b.start === b.end) - Number(a.start === a.end) || b.end - a.end);
  const result = rewritten(text, edits, { start: 0, end: text.length });
  parseAst(result);
  return result;
}

/** A declaration moves to where its block begins: as an assignment there it is as early as the declaration was. */
function moveDeclarations(node, { text, parent, isRun }) {
  const isFile = node.type === 'Program';
  if (!isFile && node.type !== 'BlockStatement') return [];
  const moved = node.body.filter((part) => part.type === 'FunctionDeclaration' && isRun(part, part.start));
  if (moved.length === 0) return [];
  const word = isFile || isFunction(parent) ? 'var' : 'let';
  const assigned = (part, copy) =>
    `${word} ${part.id.name}=(${expression(part, text.indexOf('(', part.id.end), copy)});${isFile ? '\n' : ''}`;
  const directive = node.body.findLast((part) => part.directive !== undefined);
  return [
    insertion(directive?.end ?? (isFile ? 0 : node.start + 1), (copy) =>
      moved.map((part) => assigned(part, copy)).join(''),
    ),
    ...moved.map(({ start, end }) => ({ start, end, text: () => '' })),
  ];
}

function bracket(node, { text, isRun }) {
  const { type, start, end, body } = node;
  if (type !== 'FunctionExpression' && type !== 'ArrowFunctionExpression') return [];
  // The function of a method begins with its parameters.
  if (text[start] === '(' && type === 'FunctionExpression') return [];
  if (!isRun(node, start)) return [];
  if (type === 'FunctionExpression' || !node.async) return [{ start, end, text: (copy) => `(${copy(node)})` }];
  if (usesOuter(node)) return [];
  const arrow = text.lastIndexOf('=>', body.start);
  return [{ start, end, text: (copy) => `(${ofArrow(node, arrow, copy)})` }];
}

function ofArrow({ start, end, body }, arrow, copy) {
  const names = copy({ start: start + 'async'.length, end: arrow }).trim();
  const rest = copy({ start: arrow + '=>'.length, end });
  const word = names.startsWith('(') ? `async function${names}` : `async function(${names})`;
  return body.type === 'BlockStatement' ? word + rest : `${word}{return(${rest})}`;
}

/** A method of an object is a member with a function. */
function freeMethods(node, { text, isRun }) {
  if (node.type !== 'ObjectExpression') return [];
  return node.properties
    .filter((part) => part.method && isFree(part, isRun))
    .map((part) => ({
      start: part.start,
      end: part.end,
      text: (copy) => memberText(part, text, copy),
    }));
}

/** Methods of a class are put into its prototype where it is made, the way that a class does it. */
function freeClassMethods(node, { text, isRun }) {
  if (node.type !== 'ClassBody' || node.body.some((part) => part.static || part.type === 'StaticBlock')) return [];
  const moved = node.body.filter(
    (part) => part.type === 'MethodDefinition' && part.kind === 'method' && isFree(part, isRun),
  );
  if (moved.length === 0) return [];
  const put = '([name,value])=>Object.defineProperty(this.prototype,name,{value,writable:!0,configurable:!0})';
  return [
    insertion(
      node.start + 1,
      (copy) =>
        `static{Object.entries({${moved.map((part) => memberText(part, text, copy)).join(',')}}).forEach(${put})}`,
    ),
    ...moved.map(({ start, end }) => ({ start, end, text: () => '' })),
  ];
}

function isFree({ start, key, value, computed }, isRun) {
  const isPlain =
    key.type === 'Identifier' ? key.name !== '__proto__' : typeof key.value === 'string' && key.value !== '__proto__';
  return !computed && isPlain && isRun(value, start) && !usesSuper(value);
}

function memberText({ key, value }, text, copy) {
  return `${text.slice(key.start, key.end)}:(${expression(value, value.start, copy)})`;
}

/** A function without its own name, which would hide the one that it is given; `from`: where its parameters begin. */
function expression({ async, generator, end }, from, copy) {
  return `${async ? 'async ' : ''}function${generator ? '*' : ''}${copy({ start: from, end })}`;
}

function insertion(place, text) {
  return { start: place, end: place, text };
}

/** The text of a range with its outermost edits; each may copy ranges within it. */
function rewritten(text, edits, { start, end }) {
  let at = start;
  let copied = '';
  for (const edit of edits) {
    if (edit.start < at || edit.end > end || (edit.start === start && edit.end === end)) continue;
    copied += text.slice(at, edit.start) + edit.text((range) => rewritten(text, edits, range));
    at = edit.end;
  }
  return copied + text.slice(at, end);
}

function visit(node, parent, look) {
  look(node, parent);
  for (const child of childrenOf(node)) visit(child, node, look);
}

function childrenOf(node) {
  return Object.values(node)
    .flat()
    .filter((value) => typeof value?.type === 'string');
}

function isFunction(node) {
  return /Function/.test(node?.type);
}

/** Whether an arrow needs what only the function around it has. */
function usesOuter(node) {
  if (['ThisExpression', 'Super', 'MetaProperty'].includes(node.type)) return true;
  if (node.type === 'Identifier' && node.name === 'arguments') return true;
  return childrenOf(node).some(usesOuter);
}

function usesSuper(node) {
  return node.type === 'Super' || childrenOf(node).some(usesSuper);
}
