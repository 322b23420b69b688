import { ConfigurationError } from './configuration-error';
import { isRecord } from './is-record';

/** What is wrong with a value, in a sentence that starts with `path`; undefined if it is fine. */
export type Check = (value: unknown, path: string) => string | undefined;

/** A check of each option. The compiler finds those that are missing. */
export type Checks<T> = { readonly [K in keyof T]-?: Check };

/**
 * Throws `ConfigurationError` for an option that does not exist, since a program that sets it relies on it, and for a value
 * that cannot work. Undefined and null count as not set: programs without types pass either.
 */
export function checkOptions<T extends object>(
  what: string,
  options: T,
  checks: Checks<T>,
  required: readonly (keyof T & string)[] = [],
): void {
  if (!isRecord(options))
    throw new ConfigurationError(
      `${what} takes an object with options, and got ${shown(options)}.`,
      'INVALID_OPTION',
    );
  const given = Object.keys(options).filter((name) => options[name as keyof T] !== undefined);
  const unknown = given.filter((name) => !Object.hasOwn(checks, name));
  if (unknown.length > 0)
    throw new ConfigurationError(
      `${what} does not have the option ${unknown.join(', ')}. It has: ${Object.keys(checks).join(', ')}.`,
      'UNKNOWN_OPTION',
    );
  const missing = required.filter((name) => options[name] === undefined || options[name] === null);
  if (missing.length > 0)
    throw new ConfigurationError(`${what} needs the option ${missing.join(', ')}.`, 'INVALID_OPTION');
  for (const name of given as (keyof T & string)[]) {
    const value = options[name];
    const problem = value === null ? undefined : checks[name](value, name);
    if (problem !== undefined) throw new ConfigurationError(`${what}: ${problem}`, 'INVALID_OPTION');
  }
}

/** The options that are set: null counts as not set. */
export const withoutNulls = <T extends object>(options: T): T =>
  Object.values(options).includes(null)
    ? (Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null)) as T)
    : options;

/** A check by a condition. `wanted` completes the sentence "It must be …". */
export const mustBe =
  (wanted: string, isFine: (value: unknown) => boolean): Check =>
  (value, path) =>
    isFine(value) ? undefined : `${path} is ${shown(value)}. It must be ${wanted}.`;

const isFunction = (value: unknown) => typeof value === 'function';

export const anything: Check = () => undefined;
export const text = mustBe('a text that is not empty', (value) => typeof value === 'string' && value !== '');
export const anyText = mustBe('a text', (value) => typeof value === 'string');
export const flag = mustBe('true or false', (value) => typeof value === 'boolean');
export const func = mustBe('a function', isFunction);
export const anyObject = mustBe('an object', (value) => typeof value === 'object' && value !== null);
/** Content of a file. */
export const content = mustBe(
  'a text or a Uint8Array',
  (value) => typeof value === 'string' || value instanceof Uint8Array,
);
export const amount = mustBe(
  'a number from 0',
  (value) => typeof value === 'number' && value >= 0 && !Number.isNaN(value),
);
export const positive = mustBe('a number above 0', (value) => typeof value === 'number' && value > 0);

/** One of these values. */
export const oneOf = (...values: readonly (string | boolean)[]): Check =>
  mustBe(
    values
      .map((value) => JSON.stringify(value))
      .join(', ')
      .replace(/, (?=[^,]*$)/, ' or '),
    (value) => values.includes(value as string),
  );

/** An object with at least one of these methods; a class is no such object. */
export const withMethod = (wanted: string, ...methods: readonly string[]): Check =>
  mustBe(wanted, (value) => {
    if (typeof value !== 'object' || value === null) return false;
    return methods.some((name) => isFunction((value as Record<string, unknown>)[name]));
  });

/** Fine for one of them. The sentence is that of the first. */
export const either =
  (first: Check, ...more: readonly Check[]): Check =>
  (value, path) =>
    more.some((check) => check(value, path) === undefined) ? undefined : first(value, path);

/** A list with such items. */
export const listOf =
  (item: Check, of: string): Check =>
  (value, path) =>
    Array.isArray(value)
      ? firstProblem(value.map((one: unknown, at) => () => item(one, `${path}[${at}]`)))
      : `${path} is ${shown(value)}. It must be a list of ${of}.`;

/** An object with any keys and such values. */
export const recordOf =
  (item: Check, of: string): Check =>
  (value, path) =>
    isRecord(value)
      ? firstProblem(
          Object.entries(value).map(
            ([key, one]) =>
              () =>
                one === undefined ? undefined : item(one, `${path}.${key}`),
          ),
        )
      : `${path} is ${shown(value)}. It must be an object with ${of}.`;

/** An object with these fields and no other. Undefined and null count as not set, except in `required` fields. */
export const objectWith =
  (checks: Readonly<Record<string, Check>>, required: readonly string[] = []): Check =>
  (value, path) => {
    if (!isRecord(value))
      return `${path} is ${shown(value)}. It must be an object with ${Object.keys(checks).join(', ')}.`;
    const unknown = Object.keys(value).filter(
      (name) => value[name] !== undefined && !Object.hasOwn(checks, name),
    );
    if (unknown.length > 0)
      return `${path} does not have the option ${unknown.join(', ')}. It has: ${Object.keys(checks).join(', ')}.`;
    return firstProblem(
      Object.entries(checks).map(([name, check]) => () => {
        const field = value[name];
        const isMissing = field === undefined || field === null;
        if (isMissing) return required.includes(name) ? `${path}.${name} is missing.` : undefined;
        return check(field, `${path}.${name}`);
      }),
    );
  };

function firstProblem(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const problem = check();
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const MAX_SHOWN = 80;

/** A value in an error message: short, and without what an object may hide. */
function shown(value: unknown): string {
  if (typeof value === 'function')
    return /^class\b/.test(String(value)) ? `the class ${value.name}` : 'a function';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object' && value !== null) {
    const name: unknown = (value as object).constructor?.name;
    return typeof name === 'string' && name !== 'Object' ? `a ${name}` : 'an object';
  }
  const said = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return said.length > MAX_SHOWN ? `${said.slice(0, MAX_SHOWN)}…` : said;
}
