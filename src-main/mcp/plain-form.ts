import { isRecord } from '../base/is-record';

/** The formats of a text that forms have. A field of another one is a text. */
const FORMATS: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time']);
/** References that lead to each other. */
const MAX_STEPS = 5;

/**
 * The parameters of a form's request, with each field in the one form that the protocol has for it. Server libraries make
 * fields from the types of a programming language: a field that may be absent is also `null` there, a list of values is a
 * type of its own, and a text may have any format.
 */
export function withPlainForm(params: Record<string, unknown>): Record<string, unknown> {
  const { requestedSchema: schema } = params;
  if (!isRecord(schema) || !isRecord(schema.properties)) return params;
  const { properties } = schema;
  const fields = Object.entries(properties).map(([name, field]) => [name, plainField(field, schema)]);
  return { ...params, requestedSchema: { ...schema, properties: Object.fromEntries(fields) } };
}

function plainField(raw: unknown, schema: Record<string, unknown>): unknown {
  if (!isRecord(raw)) return raw;
  let field = raw;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { $ref, anyOf, ...rest } = field;
    const [only, ...others] = Array.isArray(anyOf) ? anyOf.filter((one) => !isNull(one)) : [];
    const inner =
      typeof $ref === 'string' ? definitionOf($ref, schema) : others.length === 0 ? only : undefined;
    if (!isRecord(inner)) break;
    field = { ...inner, ...rest };
  }
  const { default: preset, format, type, ...rest } = field;
  const [one, ...more] = Array.isArray(type) ? type.filter((name) => name !== 'null') : [type];
  return {
    ...rest,
    ...(type === undefined ? {} : { type: more.length === 0 ? one : type }),
    ...(preset == null ? {} : { default: preset }),
    ...(FORMATS.has(format) ? { format } : {}),
  };
}

const isNull = (one: unknown): boolean => isRecord(one) && one.type === 'null';

function definitionOf(reference: string, { $defs, definitions }: Record<string, unknown>): unknown {
  const [, name = ''] = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
  const found = [$defs, definitions].find((all) => isRecord(all) && Object.hasOwn(all, name));
  return isRecord(found) ? found[name] : undefined;
}
