/** `localhost:8080/v1` means HTTP on this computer, and another server HTTPS. */
export function withScheme(text: string): string {
  if (text === '' || text.includes('://')) return text;
  return `${/^(?:(?:localhost|[\d.]+)(?:[:/]|$)|\[)/.test(text) ? 'http' : 'https'}://${text}`;
}

/** Chromium encodes spaces that no other program accepts in a host. */
export function isWebAddress(text: string): boolean {
  if (/\s/u.test(text) || !URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === 'http:' || protocol === 'https:';
}
