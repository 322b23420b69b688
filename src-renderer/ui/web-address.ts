/** `localhost:8080/v1` means HTTP on this computer, and another server HTTPS. */
export function withScheme(text: string): string {
  if (text === '' || text.includes('://')) return text;
  return `${/^(?:(?:localhost|[\d.]+)(?:[:/]|$)|\[)/.test(text) ? 'http' : 'https'}://${text}`;
}

export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === 'http:' || protocol === 'https:';
}
