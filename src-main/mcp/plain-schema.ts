import { isShallow } from '../base/limited-json';
import { optional } from '../contract/shared/optional';

/** Objects and lists in one another, in the schema as it comes and as it is made. */
const MAX_DEPTH = 48;
/** Schemas within a schema once its references are written out: a few lines of them could stand for billions. */
const MAX_SCHEMAS = 5_000;
/** Characters of a schema as it comes. */
const MAX_LENGTH = 500_000;
/** How often a schema that holds itself is written out within itself. */
const MAX_REPEATS = 2;

/** Keywords whose values are no schemas and that cost no more than a look at the value. */
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
/** Kinds of texts that are told from others in linear time. */
const FORMATS = new Set(['date', 'time', 'date-time', 'duration', 'uuid', 'ipv4', 'json-pointer']);
/** Said to the model in words: to check them could take longer than anybody waits. */
const SAID: Record<string, (value: unknown) => string> = {
  pattern: (value) => `Pattern: ${value}`,
  format: (value) => `Format: ${value}`,
  uniqueItems: () => 'No item twice.',
};

type Fields = Record<string, unknown>;
type Schema = Fields | boolean;

/** `isWeaker`: it allows what the server does not. */
interface Made {
  schema: Schema;
  isWeaker: boolean;
}

class Unusable extends Error {}

/**
 * The schema of a server's tool without what could hold whoever checks arguments by it: references are written out,
 * regular expressions are said in words, and where a condition cannot be kept whole it is left out, so that nothing is
 * refused that the server takes. The server checks what it gets itself. Null: it is too deep, too large, or names what is
 * not there.
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

  /** Of what stands beside a reference only words count. */
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

/** One schema, keyword by keyword. */
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
        // Those that a pattern names would be additional ones.
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

  /** What turns false into true can be kept only whole. */
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
    // Of `dependencies` some are lists of names.
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

/** Does not call itself, however deep the value is. */
function isSmall(value: unknown): boolean {
  return isShallow(value, MAX_DEPTH) && JSON.stringify(value).length <= MAX_LENGTH;
}
