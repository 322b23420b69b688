/**
 * Throws for an option that has no effect here, since a program that sets it relies on it. `known` lists every option; the
 * compiler checks it against the type.
 */
export function refuseUnknownOptions<T extends object>(
  what: string,
  options: T,
  known: Readonly<Record<keyof T, true>>,
): void {
  const unknown = Object.entries(options).filter(
    ([name, value]) => value !== undefined && !Object.hasOwn(known, name),
  );
  if (unknown.length > 0)
    throw new Error(
      `${what} does not have the option ${unknown.map(([name]) => name).join(', ')}. It has: ${Object.keys(known).join(', ')}.`,
    );
}
