type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Drops undefined values before spreading: an optional property may be absent, but not undefined. */
export function optional<T extends object>(values: T): Given<T> {
  const given: Given<T> = {};
  for (const name in values) {
    if (values[name] !== undefined) given[name] = values[name] as Given<T>[typeof name];
  }
  return given;
}
