import { fieldOf, joined, TYPES } from '../../../contract/shared/form-problem';
import { because, type Reason } from '../../../contract/shared/reasons';

/** An error of the library's check. */
interface OutputUnit {
  keyword: string;
  keywordLocation: string;
  instanceLocation: string;
}

type Node = Record<string, unknown>;

const LIMITS = {
  minimum: 'form_too_small',
  exclusiveMinimum: 'form_not_above',
  minLength: 'form_too_short',
  minItems: 'form_too_short',
  maximum: 'form_too_large',
  exclusiveMaximum: 'form_not_below',
  maxLength: 'form_too_long',
  maxItems: 'form_too_long',
} as const;

const isLimit = (keyword: string): keyword is keyof typeof LIMITS => Object.hasOwn(LIMITS, keyword);

/**
 * What the innermost error of a check says, as a reason. The errors of the library are English, and hold values that only its
 * schema and the arguments tell one by one.
 */
export function schemaProblem(errors: readonly OutputUnit[], schema: object, args: unknown): Reason {
  const last = errors.at(-1);
  const field = fieldOf(last === undefined ? [] : pointerNames(last.instanceLocation));
  if (last === undefined) return because('form_wrong', { field });
  const { keyword, keywordLocation } = last;
  const wanted = valueAt(schema, keywordLocation);
  switch (keyword) {
    case 'type': {
      const type = typeof wanted === 'string' && Object.hasOwn(TYPES, wanted) ? TYPES[wanted] : undefined;
      return type === undefined ? because('form_wrong', { field }) : because('form_type', { field, type });
    }
    case 'enum':
      return because('form_choice', { field, choices: joined(Array.isArray(wanted) ? wanted : [], ', ') });
    case 'const':
      return because('form_choice', { field, choices: joined([wanted], ', ') });
    case 'required':
      return because('form_missing', { names: joined(missingNames(wanted, args, last), ', ') });
    case 'false': {
      const keys = pointerNames(last.instanceLocation);
      return because('form_unknown_keys', {
        field: fieldOf(keys.slice(0, -1)),
        keys: joined(keys.slice(-1), ''),
      });
    }
    default:
      return isLimit(keyword) && typeof wanted === 'number'
        ? because(LIMITS[keyword], { field, limit: wanted })
        : because('form_wrong', { field });
  }
}

function missingNames(wanted: unknown, args: unknown, { instanceLocation }: OutputUnit): unknown[] {
  const at = valueAt(args, instanceLocation);
  const given = typeof at === 'object' && at !== null ? at : {};
  return Array.isArray(wanted) ? wanted.filter((name) => !Object.hasOwn(given, String(name))) : [];
}

/** The names in a JSON pointer, such as `#/a/0`. */
const pointerNames = (pointer: string): string[] =>
  pointer
    .replace(/^#\/?/, '')
    .split('/')
    .filter((name) => name !== '')
    .map((name) => decoded(name).replaceAll('~1', '/').replaceAll('~0', '~'));

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The value at a pointer, through references within the same document; undefined if there is none. */
function valueAt(root: unknown, pointer: string): unknown {
  let at: unknown = root;
  for (const name of pointerNames(pointer)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    const next = (at as Node)[name];
    at = name === '$ref' && typeof next === 'string' && next !== pointer ? referred(root, next) : next;
  }
  return at;
}

/** A reference is one step: what it leads to may refer on, which the pointer then names too. */
function referred(root: unknown, reference: string): unknown {
  let at: unknown = root;
  for (const name of reference.startsWith('#') ? pointerNames(reference) : ['']) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Node)[name];
  }
  return at;
}
