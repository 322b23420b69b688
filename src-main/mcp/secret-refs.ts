import { randomUUID } from 'node:crypto';
import { fail, ok, type Result } from '../contract/result';
import { expand, variablesIn } from './variables';

/** Where values are kept that the person typed for their servers. What goes in comes out only in the main process. */
export interface SecretValues {
  /** `session`: in memory until Deepdesk is closed, because this system has no keychain. */
  readonly kind: 'keychain' | 'session';
  /** Null: there is none, or the keychain does not give it out. */
  get(id: string): string | null;
  /** Throws where the keychain or the disk does. */
  set(id: string, value: string): void;
  remove(id: string): void;
}

/** Stands, as a value or as a part of it, for one that is kept elsewhere. It is none of the variables of the environment. */
const REFERENCE = /\$\{keychain:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\}/g;

/** Every id in what is written to the file. */
export const referencesIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [...value.matchAll(REFERENCE)].map(([, id = '']) => id);
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(referencesIn) : [];
};

/** With something else where a kept value stands. */
export const withoutReferences = (text: string, instead: string): string =>
  text.replaceAll(REFERENCE, instead);

/** What stands in the file for a value that was typed: a reference, but for one that is made of variables. */
export function kept(value: string, values: SecretValues): Result<string> {
  if (variablesIn(value).length > 0 || value === '') return ok(value);
  try {
    return ok(keep(value, values));
  } catch (error) {
    return fail('storage', 'value_not_kept', {}, String(error));
  }
}

/** Puts a value where values are kept; what stands for it. Throws where the keychain or the disk does. */
export function keep(value: string, values: SecretValues): string {
  const id = randomUUID();
  values.set(id, value);
  return `\${keychain:${id}}`;
}

/** A text of the configuration as it is meant. */
export interface Resolved {
  text: string;
  /** The values of the keychain in it. */
  secrets: string[];
}

/**
 * The text with the values that it stands for, of the keychain and of the environment. No value is looked at again.
 * Errors: one is not there. `values` null: who brings the server may have none of the person's.
 */
export function resolved(
  name: string,
  text: string,
  values: SecretValues | null,
  env: Readonly<Record<string, string | undefined>>,
): Result<Resolved> {
  const secrets: string[] = [];
  let whole = '';
  // Every second part is what the pattern keeps of a reference: its id.
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
