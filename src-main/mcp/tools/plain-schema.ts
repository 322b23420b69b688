import { isRecord } from '../../base/is-record';
import { isShallow } from '../../base/limited-json';
import { optional } from '../../contract/shared/optional';

/** Maximum nesting of objects and arrays, in the original and in the result. */
const MAX_DEPTH = 48;
/** Maximum schemas within a schema after expanding references: a few lines could stand for billions. */
const MAX_SCHEMAS = 5_000;
/** Maximum characters of the original schema. */
const MAX_LENGTH = 500_000;
/** How often a recursive schema is expanded within itself. */
const MAX_REPEATS = 2;

const TYPES = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);
const isText = (value: unknown) => typeof value === 'string';
const isFlag = (value: unknown) => typeof value === 'boolean';
const isNumber = (value: unknown) => typeof value === 'number';
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isFilled = (value: unknown) => Array.isArray(value) && value.length > 0;

/**
 * Keywords whose values are not schemas and that are cheap to check, each with the values that it can have. Others, such as
 * `"required": true` of older drafts, would reject everything, and providers refuse a request that contains them.
 */
const KEPT: Record<string, (value: unknown) => boolean> = {
  title: isText,
  description: isText,
  default: () => true,
  examples: Array.isArray,
  type: (value) => (Array.isArray(value) ? value.length > 0 && value.every(isType) : isType(value)),
  enum: isFilled,
  const: () => true,
  required: isTexts,
  dependentRequired: (value) => isRecord(value) && Object.values(value).every(isTexts),
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && Number(value) > 0,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  deprecated: isFlag,
  readOnly: isFlag,
  writeOnly: isFlag,
};
const isType = (value: unknown) => isText(value) && TYPES.has(String(value));
const hasType = (type: unknown, one: string) => type === one || (Array.isArray(type) && type.includes(one));
/** Keywords next to a reference that do not change what it allows. */
const BESIDE = new Set([
  '$ref',
  '$defs',
  'definitions',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
]);
/** Formats that can be checked in linear time. */
const FORMATS = new Set(['date', 'time', 'date-time', 'duration', 'uuid', 'ipv4', 'json-pointer']);
/** Conditions described to the model in words, because checking them could take too long. */
const SAID: Record<string, (value: unknown) => string> = {
  pattern: (value) => `Pattern: ${value}`,
  format: (value) => `Format: ${value}`,
  uniqueItems: () => 'No item twice.',
};

type Fields = Record<string, unknown>;
type Schema = Fields | boolean;

/** `isWeaker`: it allows values that the server rejects. */
interface Made {
  schema: Schema;
  isWeaker: boolean;
}

class Unusable extends Error {}

/**
 * The schema of a server's tool without anything that could block validation. References are expanded and regular
 * expressions are described in words. A condition that cannot be kept whole is dropped, so that nothing is rejected that the
 * server accepts. The server validates its input itself. Null: the schema is too deep, too large, or has broken references.
 */
export function plainSchema(schema: unknown): Fields | null {
  if (!isRecord(schema) || !isSmall(schema)) return null;
  try {
    const made = new Writer(schema).write(schema, 0, new Map());
    return made.schema === true || made.schema === false ? null : made.schema;
  } catch (thrown) {
    if (thrown instanceof Unusable) return null;
    throw thrown;
  }
}

class Writer {
  private left = MAX_SCHEMAS;
  private anchors: Map<string, unknown> | undefined;

  constructor(private readonly whole: Fields) {}

  write(schema: unknown, depth: number, open: ReadonlyMap<unknown, number>): Made {
    if (typeof schema === 'boolean') return { schema, isWeaker: false };
    this.left -= 1;
    if (!isRecord(schema) || depth > MAX_DEPTH || this.left < 0) throw new Unusable();
    const repeats = open.get(schema) ?? 0;
    if (repeats > MAX_REPEATS) return { schema: {}, isWeaker: true };
    const inside = new Map(open).set(schema, repeats + 1);
    const part = (inner: unknown) => this.write(inner, depth + 1, inside);
    if (typeof schema.$ref === 'string') return this.referred(schema, schema.$ref, part);
    return new Parts(schema, part).made();
  }

  /** Next to a reference, only words are kept. */
  private referred(
    { title, description, ...others }: Fields,
    $ref: string,
    part: (inner: unknown) => Made,
  ): Made {
    const made = part(this.target($ref));
    const isWeaker = made.isWeaker || Object.keys(others).some((keyword) => !BESIDE.has(keyword));
    if (typeof made.schema === 'boolean') return { schema: made.schema, isWeaker };
    const words = optional({
      title: isText(title) ? title : undefined,
      description: isText(description) ? description : undefined,
    });
    return { schema: { ...made.schema, ...words }, isWeaker };
  }

  private target(reference: string): unknown {
    if (!reference.startsWith('#')) throw new Unusable();
    if (reference.length > 1 && !reference.startsWith('#/')) return this.anchored(reference.slice(1));
    let at: unknown = this.whole;
    for (const step of reference.slice(1).split('/').slice(1)) {
      const key = nameOf(step);
      if (at === null || typeof at !== 'object' || !Object.hasOwn(at, key)) throw new Unusable();
      at = Reflect.get(at, key);
    }
    return at;
  }

  /** The schema with this name. */
  private anchored(name: string): unknown {
    this.anchors ??= anchorsIn(this.whole);
    if (!this.anchors.has(name)) throw new Unusable();
    return this.anchors.get(name);
  }
}

/** The named schemas within a schema, however their draft spells that. */
function anchorsIn(whole: Fields): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const left: unknown[] = [whole];
  while (left.length > 0) {
    const one = left.pop();
    if (one === null || typeof one !== 'object') continue;
    const { $anchor, $dynamicAnchor, $id }: Fields = { ...one };
    const old = isText($id) && String($id).startsWith('#') ? String($id).slice(1) : undefined;
    const name = $anchor ?? $dynamicAnchor ?? old;
    if (typeof name === 'string' && !found.has(name)) found.set(name, one);
    // Not as arguments: a list may be long.
    for (const inner of Object.values(one)) left.push(inner);
  }
  return found;
}

/** Converts one schema, keyword by keyword. */
class Parts {
  private readonly out: Fields = {};
  private readonly words: string[] = [];
  private isWeaker = false;

  constructor(
    private readonly schema: Fields,
    private readonly part: (inner: unknown) => Made,
  ) {}

  made(): Made {
    // Some servers write null for a keyword that they do not use.
    for (const [keyword, value] of Object.entries(this.schema))
      if (value !== null || keyword === 'const' || keyword === 'default') this.take(keyword, value);
    this.conditions();
    // OpenAI refuses a list without it. It allows anything.
    if (this.out.items === undefined && hasType(this.out.type, 'array')) this.out.items = {};
    // OpenAPI's word for it.
    if (this.schema.nullable === true && typeof this.out.type === 'string')
      this.out.type = [this.out.type, 'null'];
    if (this.words.length > 0) {
      const before = typeof this.out.description === 'string' ? `${this.out.description}\n` : '';
      this.out.description = `${before}${this.words.join(' ')}`;
    }
    return { schema: this.out, isWeaker: this.isWeaker };
  }

  private take(keyword: string, value: unknown): void {
    const isValid = Object.hasOwn(KEPT, keyword) ? KEPT[keyword]?.(value) : undefined;
    if (isValid === true || (keyword === 'format' && FORMATS.has(String(value)))) {
      this.out[keyword] = value;
      return;
    }
    if (isValid === false) {
      this.isWeaker = true;
      return;
    }
    const said = Object.hasOwn(SAID, keyword) ? SAID[keyword] : undefined;
    if (said !== undefined) {
      this.isWeaker = true;
      if (value !== false) this.words.push(said(value));
      return;
    }
    switch (keyword) {
      case 'properties':
      case 'dependentSchemas':
      case 'dependencies':
        this.out[keyword] = this.mapped(value);
        return;
      case 'allOf':
      case 'anyOf':
      case 'prefixItems':
        if (isFilled(value)) this.out[keyword] = this.list(value);
        else this.isWeaker = true;
        return;
      case 'items':
        if (Array.isArray(value)) this.tuple(value);
        else this.out.items = this.kept(value);
        return;
      case 'propertyNames':
        this.out.propertyNames = this.kept(value);
        return;
      case 'additionalProperties':
        // Properties that match a pattern would count as additional ones.
        if ('patternProperties' in this.schema) this.isWeaker = true;
        else this.out.additionalProperties = this.kept(value);
        return;
      case 'patternProperties':
        this.isWeaker = true;
        this.words.push(`Names by pattern: ${Object.keys(isRecord(value) ? value : {}).join(' ')}`);
        return;
      case 'unevaluatedItems':
      case 'unevaluatedProperties':
        this.isWeaker = true;
    }
  }

  /** In the words of the current draft: providers refuse the older ones. */
  private tuple(items: unknown[]): void {
    const { additionalItems } = this.schema;
    if (items.length > 0) this.out.prefixItems = this.list(items);
    this.out.items = this.kept(additionalItems ?? {});
  }

  /** Weakening one of these conditions could reject valid values, so each is kept only if it is whole. */
  private conditions(): void {
    const { oneOf, not, contains, if: test, then, else: otherwise } = this.schema;
    if (isFilled(oneOf)) {
      const before = this.isWeaker;
      this.isWeaker = false;
      const schemas = this.list(oneOf);
      if (!this.isWeaker) this.out.oneOf = schemas;
      else if (this.out.anyOf === undefined) this.out.anyOf = schemas;
      this.isWeaker ||= before;
    }
    this.whole(not, (schema) => {
      this.out.not = schema;
    });
    this.whole(contains, (schema) => {
      const { minContains, maxContains } = this.schema;
      Object.assign(this.out, { contains: schema }, isCount(minContains) ? { minContains } : {});
      if (isCount(maxContains)) this.out.maxContains = maxContains;
    });
    this.whole(test, (schema) => {
      this.out.if = schema;
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      if (then != null) this.out.then = this.kept(then);
      if (otherwise != null) this.out.else = this.kept(otherwise);
    });
  }

  private whole(value: unknown, keep: (schema: Schema) => void): void {
    if (value === undefined || value === null) return;
    const { schema, isWeaker } = this.part(value);
    if (isWeaker) this.isWeaker = true;
    else keep(schema);
  }

  private kept(value: unknown): Schema {
    const { schema, isWeaker } = this.part(value);
    this.isWeaker ||= isWeaker;
    return schema;
  }

  private list(value: unknown): Schema[] {
    if (!Array.isArray(value)) throw new Unusable();
    return value.map((one) => this.kept(one));
  }

  private mapped(value: unknown): Fields {
    if (!isRecord(value)) throw new Unusable();
    // Some values of `dependencies` are lists of names.
    const entries = Object.entries(value).map(([name, one]) => [
      name,
      Array.isArray(one) ? one : this.kept(one),
    ]);
    return Object.fromEntries(entries);
  }
}

function nameOf(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    throw new Unusable();
  }
}

/** Not recursive, no matter how deep the value is. */
function isSmall(value: unknown): boolean {
  return isShallow(value, MAX_DEPTH) && JSON.stringify(value).length <= MAX_LENGTH;
}
