// The types that the library has of each endpoint, for programs in TypeScript: see scripts/library-types.mjs.
import { isOffline } from '../src/contract/capabilities.ts';
import { type Endpoint, WRITE_VERBS } from '../src/contract/endpoint.ts';
import { isJsonObject, type Json } from '../src/contract/json/json.ts';
import { type JsonSchema, propertiesOf } from '../src/contract/json/schema.ts';
import type { Param } from '../src/contract/params/param.ts';
import { INTERFACE } from '../src/endpoints/index.ts';
import { SHARED_SHAPES } from '../src/openapi/components.ts';

/** Types of plain values of a JSON Schema. */
const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Types of the arguments that are not text: what a person may pass for each kind of parameter. */
const KINDS: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  decimal: 'number',
  integer: 'number',
  instant: 'string | number | Date',
  instants: 'readonly (string | number | Date)[] | string',
  choices: 'readonly string[] | string',
  words: 'readonly string[] | string',
  series: 'readonly string[] | string',
};

/** Declarations of all endpoints: arguments, rows and bodies, and a method for each. They import what `methods.ts` has beside them. */
export function endpointTypes(): string {
  return `${[
    "import type { CallOptions, Method, PagedMethod, StreamMethod, WriteMethod } from './methods.ts';",
    ...Object.entries(SHARED_SHAPES).map(([name, shape]) =>
      interfaceOf(name, membersOfSchema(shape), 'Members that the answers of many endpoints share.'),
    ),
    ...INTERFACE.flatMap(typesOf),
    ...methodTypes(),
  ].join('\n\n')}\n`;
}

function typesOf(endpoint: Endpoint): readonly string[] {
  const name = typeName(endpoint);
  const parts = [argsType(endpoint, name), ...(endpoint.writeOnly ? [] : bodyTypes(endpoint, name))];
  for (const verb of WRITE_VERBS) {
    const write = endpoint.writes?.[verb];
    if (write?.body)
      parts.push(interfaceOf(`${name}${titled(verb)}`, membersOfSchema(write.body), 'The body that is sent.'));
    if (write?.answer)
      parts.push(interfaceOf(`${name}${titled(verb)}Answer`, membersOfSchema(write.answer), write.summary));
  }
  return parts;
}

function argsType({ at, query, doc }: Endpoint, name: string): string {
  const members = [...Object.entries(at), ...Object.entries(query)].map(
    ([word, param]) => `/** ${param.doc} */ readonly ${word}${param.required ? '' : '?'}: ${argType(param)};`,
  );
  return interfaceOf(`${name}Query`, members, `${doc.summary}: what is asked.`);
}

function argType(param: Param): string {
  if (param.kind === 'choice') return param.words.map((word) => `'${word}'`).join(' | ');
  return KINDS[param.kind] ?? 'string';
}

function bodyTypes({ body, row, envelope, doc }: Endpoint, name: string): readonly string[] {
  if (body.kind === 'document')
    return [interfaceOf(`${name}Body`, [...membersOfSchema(row), ...membersOfSchema(envelope ?? {})], doc.summary)];
  const rows = interfaceOf(`${name}Row`, membersOfSchema(row), `${doc.summary}: one row.`);
  if (body.kind === 'stream') return [rows];
  const beside = membersOfSchema(envelope ?? {});
  if (body.kind === 'list') {
    const list = `readonly ${body.member}: ${body.orMap ? `readonly ${name}Row[] | Readonly<Record<string, ${name}Row>>` : `readonly ${name}Row[]`};`;
    return [rows, interfaceOf(`${name}Body`, [...beside, list], `${doc.summary}: the whole answer.`)];
  }
  const map = `Readonly<Record<string, ${name}Row>>`;
  return [
    rows,
    `/** ${doc.summary}: the whole answer. Its rows stand under their names. */\nexport type ${name}Body = { ${beside.join(' ')} } & ${map};`,
  ];
}

function interfaceOf(name: string, members: readonly string[], doc: string): string {
  return `/** ${doc} */\nexport interface ${name} {\n${members.map((member) => `  ${member}\n`).join('')}}`;
}

/** What the mirror answers as well comes first: a method of the service and one of a mirror differ in their options only. */
function methodTypes(): readonly string[] {
  const questions = INTERFACE.filter((endpoint) => isOffline(endpoint) && !endpoint.managed);
  const others = INTERFACE.filter((endpoint) => !questions.includes(endpoint));
  return [
    interfaceOf(
      'QuestionMethods<Options>',
      questions.map((endpoint) => methodLine(endpoint, 'Options')),
      'A method for each question that service and mirror answer.',
    ),
    interfaceOf(
      'ServiceMethods',
      others.map((endpoint) => methodLine(endpoint, 'CallOptions')),
      'A method for each endpoint that only a service has.',
    ),
  ];
}

function methodLine(endpoint: Endpoint, options: string): string {
  const name = typeName(endpoint);
  const { writes = {}, writeOnly, body, paging } = endpoint;
  const written = WRITE_VERBS.filter((verb) => writes[verb]).map(
    (verb) =>
      `{ readonly ${verb}: WriteMethod<${name}Query, ${writes[verb]?.body ? `${name}${titled(verb)}` : 'undefined'}, ${writes[verb]?.answer ? `${name}${titled(verb)}Answer` : 'undefined'}> }`,
  );
  const parameters =
    body.kind === 'stream'
      ? `StreamMethod<${name}Query, ${name}Row>`
      : paging.kind === 'none'
        ? `Method<${name}Query, ${name}Body, ${options}>`
        : `PagedMethod<${name}Query, ${name}Body, ${name}Row, ${options}>`;
  const type = [...(writeOnly ? [] : [parameters]), ...written].join(' & ');
  return `/** ${endpoint.doc.summary}. */ readonly ${methodName(endpoint.id)}: ${type};`;
}

function typeName({ id }: Endpoint): string {
  return titled(methodName(id));
}

function methodName(id: string): string {
  return id.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function titled(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** The TypeScript type of a JSON Schema. */
function typeOfSchema(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return 'unknown';
  const shared = Object.entries(SHARED_SHAPES).find(([, shape]) => shape === schema);
  if (shared) return shared[0];
  const { type, anyOf, enum: words } = schema;
  if (Array.isArray(words)) return words.map((word) => JSON.stringify(word).replaceAll('"', "'")).join(' | ');
  // A schema of an object may list which members its shapes require besides; that narrows no type.
  if (Array.isArray(anyOf) && type === undefined) return anyOf.map((one) => typeOfSchema(one)).join(' | ');
  if (Array.isArray(type)) return type.map((one) => typeOfSchema({ ...schema, type: one })).join(' | ');
  if (type === 'array') return `readonly ${inBrackets(typeOfSchema(schema.items))}[]`;
  if (type === 'object') return objectType(schema);
  return PLAIN[String(type)] ?? 'unknown';
}

function objectType(schema: JsonSchema): string {
  const members = membersOfSchema(schema);
  if (members.length > 0) return `{ ${members.join(' ')} }`;
  const { additionalProperties: one } = schema;
  return `Readonly<Record<string, ${isJsonObject(one) ? typeOfSchema(one) : 'unknown'}>>`;
}

/** The members of a schema of an object, each as a line of an interface. */
function membersOfSchema(schema: JsonSchema): readonly string[] {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(propertiesOf(schema)).map(([name, member]) => {
    const { description } = isJsonObject(member) ? member : {};
    const doc = typeof description === 'string' ? `/** ${description} */ ` : '';
    return `${doc}readonly ${nameOfMember(name)}${required.has(name) ? '' : '?'}: ${typeOfSchema(member)};`;
  });
}

function nameOfMember(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
}

function inBrackets(type: string): string {
  return /[ |{]/.test(type) ? `(${type})` : type;
}
