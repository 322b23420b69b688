/** Reads JSON from the network: values are checked where they are used, never cast. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, otherwise an empty one; for reading optional nested fields. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The objects of a list, without other items; empty if it is not a list. */
export function objectsOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function stringOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The text of a message's content in either provider's format: a string, or parts of which some have `text`. */
export function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .map((part) => stringOf(part.text))
    .join('');
}

/** Parsed JSON, or undefined if the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
