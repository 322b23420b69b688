import type { Storage } from '../../storage';
import type { SecretName } from '../../storage/secrets';
import type { Keychain } from './desktop-services';

/** Secrets of one kind by id. */
export interface KeptSecrets {
  /** `session`: in memory until Deepdesk exits, because this system has no keychain. */
  readonly kind: 'keychain' | 'session';
  get(id: string): string | null;
  set(id: string, value: string): void;
  remove(id: string): void;
}

/** Stores secrets like provider keys: encrypted in the database, or in memory without a keychain. */
export function keptSecrets(
  { secrets }: Pick<Storage, 'secrets'>,
  keychain: Keychain | null,
  nameOf: (id: string) => SecretName,
): KeptSecrets {
  if (keychain === null) {
    const values = new Map<string, string>();
    return {
      kind: 'session',
      get: (id) => values.get(id) ?? null,
      set: (id, value) => void values.set(id, value),
      remove: (id) => void values.delete(id),
    };
  }
  return {
    kind: 'keychain',
    get: (id) => {
      const ciphertext = secrets.get(nameOf(id));
      if (ciphertext === null) return null;
      try {
        return keychain.decrypt(ciphertext);
      } catch {
        // The keychain was recreated, or the data folder came from another machine.
        return null;
      }
    },
    set: (id, value) => secrets.set(nameOf(id), keychain.encrypt(value), Date.now()),
    remove: (id) => secrets.remove(nameOf(id)),
  };
}
