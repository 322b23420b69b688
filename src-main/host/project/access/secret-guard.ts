import type { Reason } from '../../../contract/shared/reasons';
import type { BackendProtocol, FileData } from '../../../harness';

/** The origin of a text that may contain secrets. */
export interface SecretSource {
  tool?: string;
  callId?: string;
  /** The source file, if there is one. */
  path?: string;
}

/** Keeps likely secrets from the model and from everything stored about what it is told. */
export interface SecretGuard {
  /** The text with placeholders for secrets; unchanged if there are none. */
  redact(text: string, source?: SecretSource): string;
  /** Increases whenever the same text could be redacted differently. */
  readonly version: number;
  /**
   * Replaces placeholders in the arguments with their values, as far as the tool may have them; else returns the reason. If
   * the values are no longer in memory, it reads the file to be written.
   */
  restore(
    call: { tool: string; args: Record<string, unknown> },
    signal?: AbortSignal,
  ): Promise<{ args: Record<string, unknown> } | { refusal: Reason }>;
}

/** A backend whose small text files are read without their secrets, because their text goes into prompts and state. */
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
