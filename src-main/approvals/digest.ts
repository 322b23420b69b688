import { createHash } from 'node:crypto';
import type { GateCall } from './call';

/**
 * SHA-256 (hex) of the tool, its arguments with sorted keys, the place, the file version, and everything else that a
 * decision is about.
 */
export function digestOf(
  call: GateCall,
  cwd: string,
  fileVersion: string | null | undefined,
  facts: Record<string, unknown> = {},
): string {
  const bound = { ...facts, tool: call.tool, args: call.args, cwd, fileVersion: fileVersion ?? null };
  return createHash('sha256').update(canonical(bound)).digest('hex');
}

/** JSON with sorted keys, so that equal values produce equal text. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, v]) => v !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
