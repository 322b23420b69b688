import { z } from 'zod';
import { ProviderId } from '../../contract/app';
import type { Environment } from '../../models/keys';
import { resolveBaseUrl } from '../../models/keys';
import { providerOf } from '../../models/registry';
import type { Storage } from '../../storage';

const settingOf = (provider: ProviderId) => `keyOrigin:${provider}`;
/** Set once the keys and addresses from before origins existed have theirs. */
const KNOWN = 'keyOrigins';

export const originOf = (url: string | null | undefined): string | null =>
  url != null && URL.canParse(url) ? new URL(url).origin : null;

/**
 * Records the server for which the person gave a provider's key. The key is sent only there, whatever the current address in
 * the settings: a compromised window or another program may have changed it.
 */
export class KeyOrigins {
  constructor(
    private readonly settings: Storage['settings'],
    private readonly env: Environment,
    /** The base URL of this run, for every provider, which the person passed with the key. */
    private readonly runAddress: string | undefined,
  ) {}

  /** `addressOf`: the current address, apart from that of this run. Existing keys are assumed to belong there. */
  adopt(addressOf: (provider: ProviderId) => string | null): void {
    if (this.settings.get(KNOWN, z.boolean()) === true) return;
    for (const provider of ProviderId.options) this.bind(provider, addressOf(provider));
    this.settings.set(KNOWN, true);
  }

  /** Binds the key to the address that the person gave; null: the provider's own. */
  bind(provider: ProviderId, address: string | null): void {
    this.restore(provider, originOf(address ?? providerOf(provider).address));
  }

  /** Restores a value that `boundTo` returned. */
  restore(provider: ProviderId, origin: string | null): void {
    if (origin === null) this.settings.remove(settingOf(provider));
    else this.settings.set(settingOf(provider), origin);
  }

  boundTo(provider: ProviderId): string | null {
    return this.settings.get(settingOf(provider), z.string());
  }

  /** Whether the key may be sent to the address. */
  allows(
    provider: ProviderId,
    from: 'environment' | 'keychain' | 'session',
    address: string | null,
  ): boolean {
    const own = providerOf(provider).address;
    const origin = originOf(address ?? own);
    if (origin === null) return false;
    if (origin === this.boundTo(provider)) return true;
    if (from !== 'environment') return false;
    // Whoever set the process's environment variables set both.
    const set = resolveBaseUrl(provider, { env: this.env, baseUrls: {} });
    return [own, set, this.runAddress].some((one) => originOf(one) === origin);
  }
}
