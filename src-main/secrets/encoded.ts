/** Shortest value, in UTF-16 units, whose encoded forms are searched for: shorter ones would match by chance. */
const LEAST = 12;

export interface EncodedForm {
  form: string;
  text: string;
}

/**
 * Encoded forms of a value that could hide it: base64 at each of the three offsets in a group, URL-safe base64, hexadecimal,
 * percent-encoding, and the escapes of JSON and HTML. Keyed by form; leaves out forms that equal the value.
 */
export function encodedForms(value: string): EncodedForm[] {
  if (value.length < LEAST) return [];
  // Half of a character cannot be encoded.
  const whole = Buffer.from(value).toString();
  const forms = [
    ...base64Forms(whole),
    ...named('hex', hexForms(whole)),
    ...named('percent signs', percentForms(whole)),
    ...named('reverse', [[...value].reverse().join('')]),
    ...named('JSON', jsonForms(value)),
    ...named('HTML', htmlForms(value)),
  ];
  const seen = new Set([value]);
  return forms.filter(({ text }) => {
    if (text.length < LEAST || seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

const named = (form: string, texts: readonly string[]): EncodedForm[] =>
  texts.map((text) => ({ form, text }));

function base64Forms(value: string): EncodedForm[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((before) => {
    const all = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // The first and last characters also depend on the neighboring text.
    const text = all
      .slice(before === 0 ? 0 : before + 1, all.length - (all.endsWith('=') ? 4 : 0))
      .replace(/=+$/, '');
    return named('base64', [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
  });
}

function hexForms(value: string): string[] {
  const hex = Buffer.from(value).toString('hex');
  return [hex, hex.toUpperCase()];
}

/** Encoders differ in the marks that they keep, and in the case of digits. */
function percentForms(value: string): string[] {
  const usual = encodeURIComponent(value);
  const strict = usual.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  const withSlashes = [usual, strict].map((text) => text.replaceAll('%2F', '/'));
  const upper = [usual, strict, ...withSlashes, encodeURI(value), strict.replaceAll('%20', '+')];
  return [...upper, ...upper.map((text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))];
}

/** In a string of JSON or of a program, also inside another such string. Writers differ in what they escape. */
function jsonForms(value: string): string[] {
  const once = variants(inString(value), [
    (text) => text.replaceAll('/', '\\/'),
    (text) => text.replace(/[<>&]/g, asUnicode),
    (text) => text.replace(/[^ -~]/g, asUnicode),
  ]);
  return [...once, ...once.map(inString)];
}

const inString = (text: string): string => JSON.stringify(text).slice(1, -1);
const asUnicode = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

function htmlForms(value: string): string[] {
  const text = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return variants(text, [
    (one) => one.replaceAll('"', '&quot;'),
    (one) => one.replaceAll('"', '&#34;'),
    (one) => one.replaceAll("'", '&#39;'),
    (one) => one.replaceAll("'", '&#x27;'),
  ]);
}

/** A text with each combination of changes, which may leave it as it is. */
function variants(text: string, changes: readonly ((text: string) => string)[]): string[] {
  const known = new Set([text]);
  for (const change of changes) for (const one of [...known]) known.add(change(one));
  return [...known];
}
