import type { ExecuteOptions, ExecuteResponse, SandboxBackendProtocol } from '../../backends/commands';
import type { BackendProtocol } from '../../backends/protocol';

/** A backend for tests: text files in a map, and a function that answers commands. */
export function memoryBackend(
  files: Map<string, string>,
  execute: (command: string, options?: ExecuteOptions) => Promise<ExecuteResponse>,
): SandboxBackendProtocol {
  const missing = (path: string) => ({ error: `File '${path}' not found`, kind: 'not_found' as const });
  const backend: BackendProtocol = {
    ls: async (path) => ({
      files: [...files.keys()].filter((f) => f.startsWith(path)).map((f) => ({ path: f })),
    }),
    read: async (path, offset = 0, limit = 500) => {
      const text = files.get(path);
      if (text === undefined) return missing(path);
      const lines = text.split('\n');
      return {
        content: lines.slice(offset, offset + limit).join('\n'),
        mimeType: 'text/plain',
        totalLines: lines.length,
        version: text,
        ...(offset + limit < lines.length ? { nextOffset: offset + limit } : {}),
      };
    },
    readRaw: async (path) => {
      const text = files.get(path);
      if (text === undefined) return missing(path);
      return { data: { content: text, mimeType: 'text/plain', created_at: '', modified_at: '' } };
    },
    grep: async () => ({ matches: [] }),
    glob: async () => ({ files: [] }),
    write: async (path, content, options) => {
      if (options?.expectedVersion !== undefined && files.get(path) !== options.expectedVersion) {
        return { error: `'${path}' has changed`, kind: 'stale' };
      }
      files.set(path, content);
      return { path };
    },
    edit: async (path, from, to) => {
      const text = files.get(path);
      if (text === undefined) return missing(path);
      if (!text.includes(from)) return { error: 'String not found in file', kind: 'invalid' };
      files.set(
        path,
        text.replace(from, () => to),
      );
      return { path, occurrences: 1 };
    },
    delete: async (path) => (files.delete(path) ? { path } : missing(path)),
  };
  return { ...backend, id: 'memory', execute };
}
