/**
 * Throws for an option that does nothing here: a program that sets it counts on it. `known` names every option, which the
 * compiler compares with the type.
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
