export const MEMORIES = '/memories/';

/** Maximum characters of a memory's file name, without its extension. */
const MAX_LENGTH = 48;

/** The file name of a memory, from the person's name for it: lower case, words joined by `-`. Null if nothing is left. */
export function memoryFile(name: string): string | null {
  const bare = name
    .trim()
    .replace(/^\/memories\//u, '')
    .replace(/\.md$/iu, '');
  const slug = slugOf(bare);
  return slug === '' ? null : `${MEMORIES}${slug}.md`;
}

/** The name of an unnamed memory: its first words. */
export function nameFromText(text: string): string {
  const words = text.trim().split(/\s+/u).slice(0, 5).join(' ');
  return [...words].slice(0, 24).join('');
}

export function slugOf(text: string): string {
  const joined = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, '-');
  return [...joined]
    .slice(0, MAX_LENGTH)
    .join('')
    .replace(/^-+|-+$/gu, '');
}
