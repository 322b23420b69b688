import { isRecord } from '../../../base/is-record';

/** Schema fields that Gemini supports for any type; it refuses a request with others. */
const COMMON = new Set(['title', 'description', 'nullable']);

/** The fields that it supports for one type only. */
const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: ['enum', 'format', 'minLength', 'maxLength', 'pattern'],
  number: ['format', 'minimum', 'maximum'],
  integer: ['format', 'minimum', 'maximum'],
  boolean: [],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'propertyOrdering', 'minProperties', 'maxProperties'],
};

/** Supported formats; others are only hints anyway. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ['enum', 'date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
};

/** What stands for a value of any type: Gemini needs a type, and objects need properties. */
const ANYTHING = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] };

const DEEPEST = 24;

type Schema = Record<string, unknown>;

/**
 * Converts a JSON schema to the subset that Gemini accepts: resolves references (a recursive schema stops at some depth),
 * turns a constant into an enum of one, and null in a type into `nullable`. Every schema gets a type, and only the fields
 * that Gemini takes for it. Drops anything else, so the answer must still be checked against the original schema.
 */
export function geminiSchema(schema: Schema): Schema {
  return convert(schema, definitionsOf(schema), 0);
}

function convert(schema: Schema, definitions: Schema, depth: number): Schema {
  if (depth > DEEPEST) return { type: 'object' };
  const target = referenced(schema, definitions);
  if (target !== null) return convert(target, definitions, depth + 1);
  const inner = (value: unknown): Schema =>
    isRecord(value) ? convert(value, definitions, depth + 1) : ANYTHING;
  const common = Object.fromEntries(Object.entries(schema).filter(([field]) => COMMON.has(field)));
  const type = typeOf(schema);
  if (Array.isArray(type)) {
    const others = type.map((one) => inner({ ...schema, type: one, anyOf: undefined, oneOf: undefined }));
    return { ...alternatives(others.map(({ title: _, description: __, ...other }) => other)), ...common };
  }
  const choices = [schema.anyOf, schema.oneOf].find((some) => Array.isArray(some) && some.length > 0);
  // Beside alternatives, Gemini takes no other condition.
  if (Array.isArray(choices) && type === null) return { ...alternatives(choices.map(inner)), ...common };
  if (type === null) return { ...ANYTHING, ...common };
  return { ...common, type, ...conditionsOf(type, schema, inner) };
}

/** The conditions of a schema with a single type. */
function conditionsOf(type: string, schema: Schema, inner: (value: unknown) => Schema): Schema {
  const result: Schema = {};
  for (const field of OF_TYPE[type] ?? []) if (schema[field] !== undefined) result[field] = schema[field];
  if (!FORMATS[type]?.includes(String(schema.format))) delete result.format;
  if (type === 'array') result.items = inner(schema.items);
  if (type === 'object') Object.assign(result, propertiesOf(schema, inner));
  if (type === 'string') {
    const values = typeof schema.const === 'string' ? [schema.const] : result.enum;
    delete result.enum;
    const named = Array.isArray(values) && values.every((one) => typeof one === 'string' && one !== '');
    if (named && values.length > 0) result.enum = values;
  }
  // Whole numbers above a limit start with the next one.
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  if (typeof above === 'number' && type === 'integer') result.minimum ??= above + 1;
  if (typeof below === 'number' && type === 'integer') result.maximum ??= below - 1;
  return result;
}

function propertiesOf({ properties, required }: Schema, inner: (value: unknown) => Schema): Schema {
  if (!isRecord(properties)) return { properties: undefined, required: undefined };
  const known = Array.isArray(required)
    ? required.filter((name) => Object.hasOwn(properties, String(name)))
    : [];
  return {
    properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)])),
    required: known.length > 0 ? known : undefined,
  };
}

/** The type that a schema names or shows; null if any type fits. */
function typeOf({ type, properties, items, enum: values, const: value }: Schema): string | unknown[] | null {
  if (Array.isArray(type)) return type.length === 1 ? String(type[0]) : type;
  if (typeof type === 'string' && (type === 'null' || Object.hasOwn(OF_TYPE, type))) return type;
  if (isRecord(properties)) return 'object';
  if (items !== undefined) return 'array';
  const known = Array.isArray(values) ? values : value === undefined ? [] : [value];
  return known.length > 0 && known.every((one) => typeof one === 'string') ? 'string' : null;
}

/** Alternatives without null. A single one replaces the list. */
function alternatives(schemas: Schema[]): Schema {
  const others = schemas.filter((schema) => schema.type !== 'null');
  const nullable = others.length < schemas.length ? { nullable: true } : {};
  const [only, second] = others;
  if (only === undefined) return { type: 'string', ...nullable };
  return second === undefined ? { ...only, ...nullable } : { anyOf: others, ...nullable };
}

const definitionsOf = (schema: Schema): Schema => {
  const { $defs, definitions } = schema;
  return { ...(isRecord(definitions) ? definitions : {}), ...(isRecord($defs) ? $defs : {}) };
};

function referenced({ $ref: path }: Schema, definitions: Schema): Schema | null {
  const name = typeof path === 'string' ? /^#\/(?:\$defs|definitions)\/(.+)$/u.exec(path)?.[1] : undefined;
  const target = name === undefined ? undefined : definitions[name];
  return isRecord(target) ? target : null;
}
