import { isShallow } from '../base/limited-json';
import { optional } from '../contract/shared/optional';

/** Maximum nesting of objects and arrays, in the original and in the result. */
const MAX_DEPTH = 48;
/** Maximum schemas within a schema after expanding references: a few lines could stand for billions. */
const MAX_SCHEMAS = 5_000;
/** Maximum characters of the original schema. */
const MAX_LENGTH = 500_000;
/** How often a recursive schema is expanded within itself. */
const MAX_REPEATS = 2;

/** Keywords whose values are not schemas and that are cheap to check. */
const KEPT = new Set([
  'title',
  'description',
  'default',
  'examples',
  'type',
  'enum',
  'const',
  'required',
  'dependentRequired',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'deprecated',
  'readOnly',
  'writeOnly',
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
  if (!isFields(schema) || !isSmall(schema)) return null;
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

  constructor(private readonly whole: Fields) {}

  write(schema: unknown, depth: number, open: ReadonlyMap<unknown, number>): Made {
    if (typeof schema === 'boolean') return { schema, isWeaker: false };
    this.left -= 1;
    if (!isFields(schema) || depth > MAX_DEPTH || this.left < 0) throw new Unusable();
    const repeats = open.get(schema) ?? 0;
    if (repeats > MAX_REPEATS) return { schema: {}, isWeaker: true };
    const inside = new Map(open).set(schema, repeats + 1);
    const part = (inner: unknown) => this.write(inner, depth + 1, inside);
    if (typeof schema.$ref === 'string') return this.referred(schema, schema.$ref, part);
    return new Parts(schema, part).made();
  }

  /** Next to a reference, only the title and description are kept. */
  private referred({ title, description }: Fields, $ref: string, part: (inner: unknown) => Made): Made {
    const { schema, isWeaker } = part(this.target($ref));
    if (typeof schema === 'boolean') return { schema, isWeaker };
    const words = {
      ...optional({ title, description }),
    };
    return { schema: { ...schema, ...words }, isWeaker };
  }

  private target(reference: string): unknown {
    if (!reference.startsWith('#')) throw new Unusable();
    let at: unknown = this.whole;
    for (const step of reference.slice(1).split('/').slice(1)) {
      const key = nameOf(step);
      if (at === null || typeof at !== 'object' || !Object.hasOwn(at, key)) throw new Unusable();
      at = Reflect.get(at, key);
    }
    return at;
  }
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
    for (const [keyword, value] of Object.entries(this.schema)) this.take(keyword, value);
    this.conditions();
    if (this.words.length > 0) {
      const before = typeof this.out.description === 'string' ? `${this.out.description}\n` : '';
      this.out.description = `${before}${this.words.join(' ')}`;
    }
    return { schema: this.out, isWeaker: this.isWeaker };
  }

  private take(keyword: string, value: unknown): void {
    if (KEPT.has(keyword) || (keyword === 'format' && FORMATS.has(String(value)))) {
      this.out[keyword] = value;
      return;
    }
    const said = SAID[keyword];
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
        this.out[keyword] = this.list(value);
        return;
      case 'items':
        this.out.items = Array.isArray(value) ? this.list(value) : this.kept(value);
        return;
      case 'propertyNames':
        this.out.propertyNames = this.kept(value);
        return;
      case 'additionalItems':
        this.out.additionalItems = this.kept(value);
        return;
      case 'additionalProperties':
        // Properties that match a pattern would count as additional ones.
        if ('patternProperties' in this.schema) this.isWeaker = true;
        else this.out.additionalProperties = this.kept(value);
        return;
      case 'patternProperties':
        this.isWeaker = true;
        this.words.push(`Names by pattern: ${Object.keys(isFields(value) ? value : {}).join(' ')}`);
        return;
      case 'unevaluatedItems':
      case 'unevaluatedProperties':
        this.isWeaker = true;
    }
  }

  /** Weakening one of these conditions could reject valid values, so each is kept only if it is whole. */
  private conditions(): void {
    const { oneOf, not, contains, if: test, then, else: otherwise } = this.schema;
    if (oneOf !== undefined) {
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
      Object.assign(this.out, { contains: schema }, minContains === undefined ? {} : { minContains });
      if (maxContains !== undefined) this.out.maxContains = maxContains;
    });
    this.whole(test, (schema) => {
      this.out.if = schema;
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      if (then !== undefined) this.out.then = this.kept(then);
      if (otherwise !== undefined) this.out.else = this.kept(otherwise);
    });
  }

  private whole(value: unknown, keep: (schema: Schema) => void): void {
    if (value === undefined) return;
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
    if (!isFields(value)) throw new Unusable();
    // Some values of `dependencies` are lists of names.
    const entries = Object.entries(value).map(([name, one]) => [
      name,
      Array.isArray(one) ? one : this.kept(one),
    ]);
    return Object.fromEntries(entries);
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
