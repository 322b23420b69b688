/** All parts, as a promise only if one of them is: most need no waiting, and a promise for each costs more than most of them. */
export function allOf<T>(parts: readonly (T | Promise<T>)[]): T[] | Promise<T[]> {
  const isThere = (part: T | Promise<T>): part is T => !(part instanceof Promise);
  return parts.every(isThere) ? [...parts] : Promise.all(parts);
}

/** `next` with the value: now, unless it is a promise. */
export function after<T, R>(value: T | Promise<T>, next: (value: T) => R): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
