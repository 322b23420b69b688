import type { Reason } from '../../contract/shared/reasons';
import type { BackendProtocol, FileData } from '../../harness/backends/protocol';

/** Where a text that may hold secrets comes from. */
export interface SecretSource {
  tool?: string;
  callId?: string;
  /** The file it is from, where it is from one. */
  path?: string;
}

/** Keeps likely secrets from the model, and from all that is kept of what it is told. */
export interface SecretGuard {
  /** The text with placeholders where secrets were; the same text where there are none. */
  redact(text: string, source?: SecretSource): string;
  /** Grows whenever the same text could be answered otherwise than before. */
  readonly version: number;
  /**
   * The arguments with the values in place of their placeholders, as far as the tool may have them; else why
   * not. Reads the file that is to be written where the values are not in memory any more.
   */
  restore(
    call: { tool: string; args: Record<string, unknown> },
    signal?: AbortSignal,
  ): Promise<{ args: Record<string, unknown> } | { refusal: Reason }>;
}

/** A backend whose small text files are read without their secrets: what is read of them goes into prompts and state. */
export function redactedReads(backend: BackendProtocol, guard: SecretGuard): BackendProtocol {
  const readRaw: BackendProtocol['readRaw'] = async (path, options) => {
    const result = await backend.readRaw(path, options);
    const { data } = result;
    if (data === undefined) return result;
    if (Array.isArray(data.content)) {
      const content = guard.redact(data.content.join('\n'), { path }).split('\n');
      return { ...result, data: { ...data, content } as FileData };
    }
    if (typeof data.content !== 'string') return result;
    return { ...result, data: { ...data, content: guard.redact(data.content, { path }) } as FileData };
  };
  return new Proxy(backend, {
    get: (target, name) => {
      if (name === 'readRaw') return readRaw;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
