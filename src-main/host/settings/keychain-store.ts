import type { KeyStore } from '../../models/keys';
import type { Storage } from '../../storage';
import type { Keychain } from '../window/desktop-services';

/** Keys in the database, encrypted by the system's keychain. A key that can no longer be decrypted counts as missing. */
export function keychainStore(storage: Storage, keychain: Keychain): KeyStore {
  return {
    kind: 'keychain',
    get: async (provider) => {
      const ciphertext = storage.secrets.get(provider);
      if (ciphertext === null) return null;
      try {
        return keychain.decrypt(ciphertext);
      } catch {
        return null;
      }
    },
    set: async (provider, key) => storage.secrets.set(provider, keychain.encrypt(key), Date.now()),
    clear: async (provider) => storage.secrets.remove(provider),
  };
}
