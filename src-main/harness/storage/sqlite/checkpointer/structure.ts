/** Nodes of one message or file beyond which comparing costs more than rewriting. */
const MAX_NODES = 20_000;
const MAX_DEPTH = 40;

/**
 * A copy of the structure of `value` that shares its strings, for `isUnchanged` to compare against. Undefined if `value` is
 * too large or cannot be compared that way (maps, sets, dates, bytes).
 */
export function shapeOf(value: object): object | undefined {
  let nodes = 0;
  let isWhole = true;
  const copy = (part: unknown, depth: number): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    nodes += 1;
    if (nodes > MAX_NODES || depth > MAX_DEPTH || !isOpen(part)) {
      isWhole = false;
      return null;
    }
    if (Array.isArray(part)) return part.map((item: unknown) => copy(item, depth + 1));
    const shape: Record<string, unknown> = {};
    // Setting `__proto__` would not add a property.
    if (Object.hasOwn(part, '__proto__')) isWhole = false;
    else for (const [key, item] of Object.entries(part)) shape[key] = copy(item, depth + 1);
    return shape;
  };
  const shape = copy(value, 0);
  return isWhole && typeof shape === 'object' && shape !== null ? shape : undefined;
}

/** Whether `value` still matches its shape. The cost depends on nodes, not bytes, because equal strings are shared. */
export function isUnchanged(value: unknown, shape: unknown): boolean {
  if (typeof shape !== 'object' || shape === null) return Object.is(value, shape);
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(shape))
    return false;
  const now = Object.keys(value);
  const [before, after] = [shape as Record<string, unknown>, value as Record<string, unknown>];
  let index = 0;
  // The shape is a plain object, so this visits its own keys in order without building a list.
  for (const key in before) {
    if (now[index] !== key || !isUnchanged(after[key], before[key])) return false;
    index += 1;
  }
  return index === now.length;
}

/**
 * Whether a value consists only of plain objects, lists and primitives. A plain value that equals its shape is serialized
 * the same way. Only for values with a shape or equal to one: others may nest without end.
 */
export function isPlain(value: unknown): boolean {
  if (typeof value === 'function') return false;
  if (typeof value !== 'object' || value === null) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isOrdinary = Array.isArray(value)
    ? prototype === Array.prototype
    : prototype === Object.prototype || prototype === null;
  return isOrdinary && Object.values(value).every(isPlain);
}

/** Whether an object's enumerable properties represent it completely. */
function isOpen(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === Array.prototype) return true;
  return !(
    value instanceof Map ||
    value instanceof Set ||
    value instanceof Date ||
    value instanceof RegExp ||
    value instanceof Error ||
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value)
  );
}

export interface SendLike {
  node: unknown;
  args: unknown;
  timeout?: unknown;
}

export function isSend(value: unknown): value is SendLike {
  return typeof value === 'object' && value !== null && 'lg_name' in value && value.lg_name === 'Send';
}

export function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && Object.getPrototypeOf(value) === Array.prototype;
}

/** A plain object that the serializer writes key by key and reads back unchanged. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return !['lc', 'lg_name', 'toJSON', '__proto__'].some((key) => Object.hasOwn(value, key));
}

/** The values of a record and their keys, without what JSON omits. */
export function partsOf(value: Record<string, unknown>): [values: unknown[], keys: string[]] {
  const isKept = (item: unknown) => typeof item !== 'function' && typeof item !== 'symbol';
  const values = Object.values(value);
  if (values.every(isKept)) return [values, Object.keys(value)];
  return [values.filter(isKept), Object.keys(value).filter((key) => isKept(value[key]))];
}
