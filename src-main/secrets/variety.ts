/** Shannon entropy of a text, in bits per character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / text.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}

/** Placeholder words for values, whole or as a prefix. */
const STAND_INS =
  /^(?:x{3,}|\*{3,}|\.{3,}|-+|<.*>|\{.*|\[.*|\$.*|%.*|your[-_ ]?.*|my[-_ ]?(?:secret|token|password|key).*|change[-_ ]?(?:me|it|this).*|replace[-_ ]?.*|insert[-_ ]?.*|example.*|sample.*|dummy.*|fake.*|placeholder.*|todo.*|redacted.*|test(?:ing)?|none|null|undefined|true|false|secret|password|passwd|pass|postgres|mysql|root|admin|guest|user(?:name)?|token|apikey|default|string|required|optional|enabled|disabled)$/i;

/** Whether a value is only a placeholder or a reference to another place. */
export const isStandIn = (value: string): boolean => STAND_INS.test(value) || new Set(value).size < 4;
