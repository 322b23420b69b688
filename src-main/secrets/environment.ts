import { findSecrets } from './find';

const TELLING = /secret|token|passw|pwd|api_?key|access_?key|private_?key|credential|_key$/i;
/** Shortest value, in UTF-16 units, that a telling name makes a secret. */
const LEAST = 8;

/** Values of an environment that are likely secrets, `kept` names left out. */
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
