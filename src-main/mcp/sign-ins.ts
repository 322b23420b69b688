import { z } from 'zod';
import type { KeptValues } from './kept-values';
import type { SecretValues } from './secret-refs';

/** The person has to sign in, for the first time or again. */
export class SignInNeeded extends Error {}

/** What a sign-in came to, as the authorization server said it. */
export const SignIn = z.object({
  /** Of the MCP server: to another address its tokens are never sent. */
  address: z.string(),
  /** Where the person signed in: the authorization server's host. */
  at: z.string(),
  /** Whose it is, as that server says; null where it does not. */
  as: z.string().nullable(),
  /** Deepdesk as that server knows it. */
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
  /** Where tokens are given back; null where that server takes none back. */
  revocation: z.string().nullable(),
});
export type SignIn = z.infer<typeof SignIn>;

/** The sign-in of one server, as long as it is the one that holds. */
export interface KeptSignIn {
  read(): SignIn | null;
  /** Throws where the keychain or the disk does. */
  save(signIn: SignIn): void;
  forget(): void;
}

/** Keys of servers with a sign-in, so that they can be found again; no secret among them. */
const KEYS = 'mcp.signIns';

/** Sign-ins by the key of their server, kept where values are that the person typed: never in a file. */
export class SignIns {
  constructor(
    private readonly values: SecretValues,
    private readonly kept: KeptValues,
  ) {}

  /** Of the server at this address. One of another address does not count. */
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

  /** Of all servers of a project that was removed. */
  forgetAll(prefix: string): void {
    for (const key of this.keys()) if (key.startsWith(prefix)) this.forget(key);
  }

  rename(from: string, to: string): void {
    const found = this.read(from);
    if (found === null) return;
    this.of(to, found.address).save(found);
    this.forget(from);
  }

  /** The tokens of all of them, for taking them out of whatever is kept or sent. */
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
      // Of a version that kept it otherwise: the person signs in again.
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
