import { createHash } from 'node:crypto';

/** Maximum characters of a tool name that every provider accepts. */
const MAX_LENGTH = 64;

/**
 * `server__tool` in characters that every provider accepts. A name that had to be changed ends with a hash of the original.
 */
export function toolName(server: string, tool: string): string {
  const plain = (text: string) => text.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replaceAll(/^_+|(?<!_)_+$/g, '');
  const name = `${plain(server) || 'server'}__${plain(tool) || 'tool'}`;
  if (name === `${server}__${tool}` && name.length <= MAX_LENGTH) return name;
  const hash = createHash('sha256')
    .update(JSON.stringify([server, tool]))
    .digest('hex')
    .slice(0, 6);
  return `${name.slice(0, MAX_LENGTH - hash.length - 1)}_${hash}`;
}
