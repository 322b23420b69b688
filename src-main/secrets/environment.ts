import { findSecrets } from './find';

const TELLING = /secret|token|passw|pwd|api_?key|access_?key|private_?key|credential|_key$/i;
/** Minimum length, in UTF-16 units, of a value that a telling name makes a secret. */
const LEAST = 8;

/** Values of an environment that are likely secrets, except those of `kept` names. */
export function secretValues(
  env: Readonly<Record<string, string | undefined>>,
  kept: Readonly<Record<string, string>>,
): string[] {
  return Object.entries(env).flatMap(([name, given = '']) => {
    const value = given.trim();
    if (Object.hasOwn(kept, name) || value.length < LEAST) return [];
    const isTold =
      TELLING.test(name) &&
      !/^(?:[./~]|[a-z]+:\/\/[^@]*$)/i.test(value) &&
      !/^(?:true|false|\d+)$/i.test(value);
    if (isTold) return [value];
    return findSecrets(`${name}=${value}`).map(({ start, end }) => `${name}=${value}`.slice(start, end));
  });
}

/**
 * Removes likely secrets from an environment, and returns a complete copy of the original. Meant for the process's own
 * environment: Electron passes that to the preload script of every page, and child processes inherit it.
 */
export function takeSecrets(env: Record<string, string | undefined>): Record<string, string | undefined> {
  const whole = { ...env };
  for (const [name, value] of Object.entries(whole)) {
    if (/_API_KEY$/i.test(name) || secretValues({ [name]: value }, {}).length > 0) delete env[name];
  }
  return whole;
}
