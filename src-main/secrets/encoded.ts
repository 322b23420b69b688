/** Shortest value, in UTF-16 units, whose encoded forms are searched for: shorter ones would match by chance. */
const LEAST = 12;

/**
 * Encoded forms of a value that could hide it: base64 at each of the three offsets in a group, URL-safe base64, hexadecimal,
 * and percent-encoding. Keyed by form; leaves out forms that equal the value.
 */
export function encodedForms(value: string): { form: string; text: string }[] {
  if (value.length < LEAST) return [];
  const bytes = Buffer.from(value);
  const forms: { form: string; text: string }[] = [];
  for (const before of [0, 1, 2]) {
    const all = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    // The first and last characters also depend on the neighboring text.
    const text = all
      .slice(before === 0 ? 0 : before + 1, all.length - (all.endsWith('=') ? 4 : 0))
      .replace(/=+$/, '');
    forms.push(
      { form: 'base64', text },
      { form: 'base64', text: text.replaceAll('+', '-').replaceAll('/', '_') },
    );
  }
  const hex = bytes.toString('hex');
  forms.push({ form: 'hex', text: hex }, { form: 'hex', text: hex.toUpperCase() });
  forms.push({ form: 'percent signs', text: encodeURIComponent(value) });
  forms.push({ form: 'reverse', text: [...value].reverse().join('') });
  const seen = new Set([value]);
  return forms.filter(({ text }) => {
    if (text.length < LEAST || seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}
