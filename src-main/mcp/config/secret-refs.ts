import { randomUUID } from 'node:crypto';
import { fail, ok, type Result } from '../../contract/result';
import { expand, variablesIn } from './variables';

/** Stores the values that the person typed for their servers. Only the main process can read them. */
export interface SecretValues {
  /** `session`: in memory until Deepdesk closes, because this system has no keychain. */
  readonly kind: 'keychain' | 'session';
  /** Null if there is none or the keychain denies access. */
  get(id: string): string | null;
  /** Throws if the keychain or the disk fails. */
  set(id: string, value: string): void;
  remove(id: string): void;
}

/** References a stored value, as a whole value or as part of one. It is not an environment variable. */
const REFERENCE = /\$\{keychain:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\}/g;

/** Every id in a value of the file. */
export const referencesIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [...value.matchAll(REFERENCE)].map(([, id = '']) => id);
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(referencesIn) : [];
};

/** The text with each reference replaced. */
export const withoutReferences = (text: string, instead: string): string =>
  text.replaceAll(REFERENCE, instead);

/** Returns what the file contains for a typed value: a reference, unless the value consists of variables. */
export function kept(value: string, values: SecretValues): Result<string> {
  if (variablesIn(value).length > 0 || value === '') return ok(value);
  try {
    return ok(keep(value, values));
  } catch (error) {
    return fail('storage', 'value_not_kept', {}, String(error));
  }
}

/** Stores a value and returns its reference. Throws if the keychain or the disk fails. */
export function keep(value: string, values: SecretValues): string {
  const id = randomUUID();
  values.set(id, value);
  return `\${keychain:${id}}`;
}

/** A configuration text with its references resolved. */
export interface Resolved {
  text: string;
  /** The keychain values in it. */
  secrets: string[];
}

/**
 * Replaces references with values from the keychain and the environment. Values are not expanded again. Errors: a value is
 * missing. `values` null: the server's author must not get the person's values.
 */
export function resolved(
  name: string,
  text: string,
  values: SecretValues | null,
  env: Readonly<Record<string, string | undefined>>,
): Result<Resolved> {
  const secrets: string[] = [];
  let whole = '';
  // Every second part is the captured id of a reference.
  for (const [index, part] of text.split(REFERENCE).entries()) {
    const value = index % 2 === 0 ? expand(part, env) : keptValue(name, part, values);
    if (!value.ok) return value;
    if (index % 2 === 1) secrets.push(value.value);
    whole += value.value;
  }
  return ok({ text: whole, secrets });
}

function keptValue(name: string, id: string, values: SecretValues | null): Result<string> {
  const value = values?.get(id) ?? null;
  if (value !== null) return ok(value);
  return fail('no_key', values?.kind === 'keychain' ? 'keychain_refuses' : 'kept_value_gone', { name });
}
