import { isJsonObject, type Json } from '../../contract/json/json.ts';
import { type JsonSchema, propertiesOf } from '../../contract/json/schema.ts';
import { SHARED_SHAPES } from '../../openapi/shared-schemas.ts';

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The TypeScript type of a JSON Schema. `used` collects the names of the shared shapes that it mentions. */
function typeOfSchema(schema: Json | undefined, used: Set<string>): string {
  if (!isJsonObject(schema)) return 'unknown';
  const shared = Object.entries(SHARED_SHAPES).find(([, shape]) => shape === schema);
  if (shared) {
    used.add(shared[0]);
    return shared[0];
  }
  const { type, anyOf, enum: words } = schema;
  if (Array.isArray(words)) return words.map((word) => JSON.stringify(word).replaceAll('"', "'")).join(' | ');
  // A schema of an object may list which members its shapes require besides; that narrows no type.
  if (Array.isArray(anyOf) && type === undefined) return anyOf.map((one) => typeOfSchema(one, used)).join(' | ');
  if (Array.isArray(type)) return type.map((one) => typeOfSchema({ ...schema, type: one }, used)).join(' | ');
  if (type === 'array') return `readonly ${inBrackets(typeOfSchema(schema.items, used))}[]`;
  if (type === 'object') return objectType(schema, used);
  return PLAIN[String(type)] ?? 'unknown';
}

function objectType(schema: JsonSchema, used: Set<string>): string {
  const members = membersOfSchema(schema, used);
  if (members.length > 0) return `{ ${members.join(' ')} }`;
  const { additionalProperties: one } = schema;
  return `Readonly<Record<string, ${isJsonObject(one) ? typeOfSchema(one, used) : 'unknown'}>>`;
}

/** The members of a schema of an object, each as a line of an interface. */
export function membersOfSchema(schema: JsonSchema, used: Set<string>): readonly string[] {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(propertiesOf(schema)).map(([name, member]) => {
    const { description } = isJsonObject(member) ? member : {};
    const doc = typeof description === 'string' ? `/** ${description} */ ` : '';
    return `${doc}readonly ${nameOfMember(name)}${required.has(name) ? '' : '?'}: ${typeOfSchema(member, used)};`;
  });
}

function nameOfMember(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
}

function inBrackets(type: string): string {
  return /[ |{]/.test(type) ? `(${type})` : type;
}
