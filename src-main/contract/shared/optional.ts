type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The values that are there, to be spread: an optional property may be left out, but it may not be undefined. */
export function optional<T extends object>(values: T): Given<T> {
  const given: Given<T> = {};
  for (const name in values) {
    if (values[name] !== undefined) given[name] = values[name] as Given<T>[typeof name];
  }
  return given;
}
