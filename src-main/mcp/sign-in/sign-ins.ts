import { z } from 'zod';
import type { SecretValues } from '../config/secret-refs';
import type { KeptValues } from '../kept-values';

/** The person has to sign in, for the first time or again. */
export class SignInNeeded extends Error {}

/** The result of a sign-in, as the authorization server reported it. */
export const SignIn = z.object({
  /** Address of the MCP server. Its tokens are never sent to another address. */
  address: z.string(),
  /** Host of the authorization server where the person signed in. */
  at: z.string(),
  /** The account name that the server reports; null if it reports none. */
  as: z.string().nullable(),
  /** Deepdesk's registration with that server. */
  client: z.object({
    client_id: z.string(),
    client_secret: z.string().optional(),
    client_id_issued_at: z.number().optional(),
    client_secret_expires_at: z.number().optional(),
    token_endpoint_auth_method: z.string().optional(),
    issuer: z.string().optional(),
  }),
  tokens: z.object({
    access_token: z.string(),
    token_type: z.string(),
    id_token: z.string().optional(),
    expires_in: z.number().optional(),
    scope: z.string().optional(),
    refresh_token: z.string().optional(),
    issuer: z.string().optional(),
  }),
  /** Where tokens are revoked; null if that server does not support it. */
  revocation: z.string().nullable(),
});
export type SignIn = z.infer<typeof SignIn>;

/** The current sign-in of one server. */
export interface KeptSignIn {
  read(): SignIn | null;
  /** Throws if the keychain or the disk fails. */
  save(signIn: SignIn): void;
  forget(): void;
}

/** Keys of servers with a sign-in, so that they can be listed. Contains no secret. */
const KEYS = 'mcp.signIns';

/** Sign-ins by the key of their server, stored with the values that the person typed and never in a file. */
export class SignIns {
  constructor(
    private readonly values: SecretValues,
    private readonly kept: KeptValues,
  ) {}

  /** The sign-in of the server at this address. One for another address is ignored. */
  of(key: string, address: string): KeptSignIn {
    return {
      read: () => {
        const found = this.read(key);
        return found?.address === address ? found : null;
      },
      save: (signIn) => {
        this.values.set(idOf(key), JSON.stringify(signIn));
        this.kept.set(KEYS, [...this.keys().filter((one) => one !== key), key]);
      },
      forget: () => this.forget(key),
    };
  }

  forget(key: string): void {
    this.values.remove(idOf(key));
    this.kept.set(
      KEYS,
      this.keys().filter((one) => one !== key),
    );
  }

  /** Deletes the sign-ins of all servers of a removed project. */
  forgetAll(prefix: string): void {
    for (const key of this.keys()) if (key.startsWith(prefix)) this.forget(key);
  }

  rename(from: string, to: string): void {
    const found = this.read(from);
    if (found === null) return;
    this.of(to, found.address).save(found);
    this.forget(from);
  }

  /** All their tokens, for redaction of saved or sent text. */
  secrets(): string[] {
    return this.keys().flatMap((key) => tokensOf(this.read(key)));
  }

  private keys(): string[] {
    return this.kept.get(KEYS, z.array(z.string())) ?? [];
  }

  private read(key: string): SignIn | null {
    const text = this.values.get(idOf(key));
    if (text === null) return null;
    try {
      return SignIn.parse(JSON.parse(text));
    } catch {
      // Saved by a version with another format: the person signs in again.
      return null;
    }
  }
}

const idOf = (key: string) => `sign-in:${key}`;

export const tokensOf = (signIn: SignIn | null): string[] =>
  signIn === null
    ? []
    : [signIn.tokens.access_token, signIn.tokens.refresh_token, signIn.tokens.id_token].filter(
        (token) => token !== undefined,
      );
