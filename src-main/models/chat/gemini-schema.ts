/** Fields of a schema that Gemini knows; it refuses a request with any other. */
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

/** Formats that it knows; others are only advice to a reader anyway. */
const FORMATS = new Set(['enum', 'date-time', 'float', 'double', 'int32', 'int64']);

const DEEPEST = 24;

type Schema = Record<string, unknown>;

/**
 * A JSON schema in the part of it that Gemini takes: references are put in place (a schema that holds itself ends
 * after some depth), a constant is an enumeration of one, null among types is `nullable`. What cannot be said is left
 * out, so the answer has still to be checked against the schema itself.
 */
export function geminiSchema(schema: Schema): Schema {
  return convert(schema, definitionsOf(schema), 0);
}

function convert(schema: Schema, definitions: Schema, depth: number): Schema {
  if (depth > DEEPEST) return { type: 'object' };
  const target = referenced(schema, definitions);
  if (target !== null) return convert(target, definitions, depth + 1);
  const inner = (value: unknown) => (isSchema(value) ? convert(value, definitions, depth + 1) : {});

  const result: Schema = {};
  for (const [field, value] of Object.entries(schema)) {
    if (field === 'format' && !FORMATS.has(String(value))) continue;
    if (KNOWN.has(field)) result[field] = value;
    else if (field === 'const' && typeof value === 'string') result.enum = [value];
    else if (field === 'items') result.items = inner(value);
    else if (field === 'properties' && isSchema(value)) {
      result.properties = Object.fromEntries(
        Object.entries(value).map(([name, property]) => [name, inner(property)]),
      );
    } else if ((field === 'anyOf' || field === 'oneOf') && Array.isArray(value)) {
      Object.assign(result, alternatives(value.map(inner)));
    }
  }
  // Whole numbers above a limit are those from the next one on.
  const { exclusiveMinimum: above, exclusiveMaximum: below, type } = schema;
  if (typeof above === 'number' && type === 'integer') result.minimum ??= above + 1;
  if (typeof below === 'number' && type === 'integer') result.maximum ??= below - 1;
  // Only text can be enumerated.
  if (Array.isArray(result.enum) && !result.enum.every((one) => typeof one === 'string')) delete result.enum;
  if (Array.isArray(result.type)) {
    const types: unknown[] = result.type;
    delete result.type;
    Object.assign(result, alternatives(types.map((type) => ({ type }))));
  }
  return result;
}

/** Alternatives without null; where one is left it takes the place of the list. */
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
  return { ...(isSchema(definitions) ? definitions : {}), ...(isSchema($defs) ? $defs : {}) };
};

function referenced({ $ref: path }: Schema, definitions: Schema): Schema | null {
  const name = typeof path === 'string' ? /^#\/(?:\$defs|definitions)\/(.+)$/u.exec(path)?.[1] : undefined;
  const target = name === undefined ? undefined : definitions[name];
  return isSchema(target) ? target : null;
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
