import { isRecord } from '../../base/is-record';

/** Schema fields that Gemini supports; it refuses a request with any other. */
const KNOWN = new Set([
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'maxItems',
  'minItems',
  'required',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'pattern',
  'propertyOrdering',
  'minimum',
  'maximum',
]);

/** Supported formats; others are only hints anyway. */
const FORMATS = new Set(['enum', 'date-time', 'float', 'double', 'int32', 'int64']);

const DEEPEST = 24;

type Schema = Record<string, unknown>;

/**
 * Converts a JSON schema to the subset that Gemini accepts: resolves references (a recursive schema stops at some depth),
 * turns a constant into an enum of one, and null in a type into `nullable`. Drops anything else, so the answer must still be
 * checked against the original schema.
 */
export function geminiSchema(schema: Schema): Schema {
  return convert(schema, definitionsOf(schema), 0);
}

function convert(schema: Schema, definitions: Schema, depth: number): Schema {
  if (depth > DEEPEST) return { type: 'object' };
  const target = referenced(schema, definitions);
  if (target !== null) return convert(target, definitions, depth + 1);
  const inner = (value: unknown) => (isRecord(value) ? convert(value, definitions, depth + 1) : {});

  const result: Schema = {};
  for (const [field, value] of Object.entries(schema)) {
    if (field === 'format' && !FORMATS.has(String(value))) continue;
    if (KNOWN.has(field)) result[field] = value;
    else if (field === 'const' && typeof value === 'string') result.enum = [value];
    else if (field === 'items') result.items = inner(value);
    else if (field === 'properties' && isRecord(value)) {
      result.properties = Object.fromEntries(
        Object.entries(value).map(([name, property]) => [name, inner(property)]),
      );
    } else if ((field === 'anyOf' || field === 'oneOf') && Array.isArray(value)) {
      Object.assign(result, alternatives(value.map(inner)));
    }
  }
  // Whole numbers above a limit start with the next one.
  const { exclusiveMinimum: above, exclusiveMaximum: below, type } = schema;
  if (typeof above === 'number' && type === 'integer') result.minimum ??= above + 1;
  if (typeof below === 'number' && type === 'integer') result.maximum ??= below - 1;
  // Only strings can be enumerated.
  if (Array.isArray(result.enum) && !result.enum.every((one) => typeof one === 'string')) delete result.enum;
  if (Array.isArray(result.type)) {
    const types: unknown[] = result.type;
    delete result.type;
    Object.assign(result, alternatives(types.map((type) => ({ type }))));
  }
  return result;
}

/** Alternatives without null. A single one replaces the list. */
function alternatives(schemas: Schema[]): Schema {
  const others = schemas.filter((schema) => schema.type !== 'null');
  const nullable = others.length < schemas.length ? { nullable: true } : {};
  const [only, second] = others;
  return second === undefined && only !== undefined
    ? { ...only, ...nullable }
    : { anyOf: others, ...nullable };
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
