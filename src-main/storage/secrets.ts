import type { Db } from '../base/sqlite/db';
import { ProviderId } from '../contract/app';

/** A provider, a value of one of the person's MCP servers, the secret of a place, or the key of a remote agent. */
export type SecretName = ProviderId | `mcp:${string}` | `place:${string}` | `agent:${string}`;

/** Ciphertext by name. Callers encrypt and decrypt; nothing here is ever plain text. */
export interface Secrets {
  get(name: SecretName): Uint8Array | null;
  set(name: SecretName, ciphertext: Uint8Array, at: number): void;
  remove(name: SecretName): void;
  /** Providers with a secret. */
  list(): ProviderId[];
}

export function openSecrets(db: Db): Secrets {
  const get = db.prepare<[string], { ciphertext: Uint8Array }>(
    'SELECT ciphertext FROM secrets WHERE provider = ?',
  );
  const set = db.prepare<[string, Uint8Array, number]>('INSERT OR REPLACE INTO secrets VALUES (?, ?, ?)');
  const remove = db.prepare<[string]>('DELETE FROM secrets WHERE provider = ?');
  const list = db.prepare<[], { provider: string }>('SELECT provider FROM secrets ORDER BY provider');

  return {
    get: (provider) => get.get(provider)?.ciphertext ?? null,
    set: (provider, ciphertext, at) => {
      set.run(provider, ciphertext, at);
    },
    remove: (provider) => {
      remove.run(provider);
    },
    list: () =>
      list.all().flatMap(({ provider }) => {
        const known = ProviderId.safeParse(provider);
        return known.success ? [known.data] : [];
      }),
  };
}
