import { randomUUID } from 'node:crypto';
import { fail, ok, type Result } from '../contract/result';
import { variablesIn } from './variables';

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

/** A whole value that stands for one that is kept elsewhere. It is none of the variables of the environment. */
const REFERENCE = /^\$\{keychain:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\}$/;

/** The id that a value of `mcp.json` stands for; null where it is the value itself. */
export const referenceIn = (text: string): string | null => REFERENCE.exec(text)?.[1] ?? null;

/** Every id in what is written to the file. */
export const referencesIn = (value: unknown): string[] => {
  if (typeof value === 'string') {
    const id = referenceIn(value);
    return id === null ? [] : [id];
  }
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(referencesIn) : [];
};

/** What stands in the file for a value that was typed: a reference, but for one that is made of variables. */
export function kept(value: string, values: SecretValues): Result<string> {
  if (variablesIn(value).length > 0 || value === '') return ok(value);
  const id = randomUUID();
  try {
    values.set(id, value);
  } catch (error) {
    return fail('storage', 'The value could not be put into the keychain.', String(error));
  }
  return ok(`\${keychain:${id}}`);
}

/** The value itself. Errors: it is not there any more. `values` null: who brings the server may have none of the person's. */
export function resolved(name: string, text: string, values: SecretValues | null): Result<string> {
  const id = referenceIn(text);
  if (id === null) return ok(text);
  const value = values?.get(id) ?? null;
  if (value !== null) return ok(value);
  return fail(
    'no_key',
    values?.kind === 'keychain'
      ? `The keychain does not give out the value of "${name}". Enter it again in the settings.`
      : `The value of "${name}" is not there: values that are typed are kept in the keychain of the app, or, without one, until Deepdesk is closed. Enter it again in the settings, or name a variable of the environment.`,
  );
}
