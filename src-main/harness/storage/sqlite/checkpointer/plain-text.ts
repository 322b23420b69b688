import { type CutText, longString, placeOf } from './pieces';

/** The serializer's output, possibly with its longest strings separate. */
export type Text = string | CutText;

/**
 * The serializer's output, but synchronous and without its first walk to look for cycles. Null if the value has parts that
 * JSON cannot represent (sets, bytes, errors, Sends, cycles), which the serializer writes in its own way.
 */
export function plainText(value: unknown): Text | null {
  let isOdd = false;
  const strings: CutText['strings'][number][] = [];
  try {
    const text = JSON.stringify(value, (_key, part: unknown) => {
      if (part === undefined) return UNDEFINED;
      if (typeof part === 'string') {
        const place = placeOf(part, strings.length);
        if (place === null) return part;
        strings.push(longString(part));
        return place;
      }
      if (typeof part === 'object' && part !== null && !isPlainObject(part)) isOdd = true;
      return isOdd ? null : part;
    });
    // A value that JSON omits is null in a list.
    const json = text ?? 'null';
    return isOdd ? null : strings.length === 0 ? json : { json, strings };
  } catch (error) {
    // A cycle, or an infinite number.
    if (error instanceof TypeError || error instanceof RangeError) return null;
    throw error;
  }
}

/** As the serializer writes it. */
export const UNDEFINED = { lc: 2, type: 'undefined' };

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Array.prototype) return true;
  return (prototype === Object.prototype || prototype === null) && !('lg_name' in value);
}
