import { randomBytes } from 'node:crypto';
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { parseJson } from '../../base/limited-json';
import { errorText } from '../../contract/errors';
import { appError, fail, ok, type Result } from '../../contract/result';
import { optional } from '../../contract/shared/optional';
import { because } from '../../contract/shared/reasons';
import { problem, ServerProblem } from '../problem';
import { listenForAnswer } from './loopback-answer';
import { mayName } from './sign-in-addresses';
import { signInFetch } from './sign-in-fetch';
import { type KeptSignIn, type SignIn, SignInNeeded } from './sign-ins';

/** Milliseconds that the person has in the browser. */
const SIGN_IN_WITHIN = 10 * 60_000;
/** Milliseconds for revoking tokens. */
const REVOKE_WITHIN = 5_000;

/** The server's challenge when it rejected us. */
export interface Challenge {
  resourceMetadataUrl?: URL | undefined;
  scope?: string | undefined;
}

const metadata = (redirect: string): OAuthClientProvider['clientMetadata'] => ({
  client_name: 'Deepdesk',
  redirect_uris: [redirect],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  // A program on the person's computer cannot keep a client secret.
  token_endpoint_auth_method: 'none',
});

/** Never used as a redirect: without an address the SDK assumes a provider that needs no person. */
const NOWHERE = 'http://127.0.0.1/';

/**
 * Gives a connection the saved tokens and refreshes them. Never prompts: if a sign-in is needed it throws `SignInNeeded`.
 */
export function keptProvider(kept: KeptSignIn): OAuthClientProvider {
  const over = (): never => {
    kept.forget();
    throw new SignInNeeded();
  };
  return {
    redirectUrl: NOWHERE,
    clientMetadata: metadata(NOWHERE),
    clientInformation: () => kept.read()?.client,
    tokens: () => kept.read()?.tokens,
    saveTokens: (tokens) => {
      const before = kept.read();
      // The person has signed out.
      if (before === null) throw new SignInNeeded();
      kept.save({ ...before, tokens });
    },
    invalidateCredentials: (what) => {
      if (what === 'all' || what === 'client' || what === 'tokens') over();
    },
    redirectToAuthorization: () => {
      // With a refresh token, the server was only unreachable, which does not require a new sign-in.
      if (kept.read()?.tokens.refresh_token === undefined) over();
      throw problem(because('mcp_sign_in_not_renewed'));
    },
    saveCodeVerifier: () => undefined,
    codeVerifier: () => {
      throw new SignInNeeded();
    },
  };
}

export interface SignInOptions {
  /** Address of the MCP server. */
  address: string;
  challenge: Challenge;
  /** Opens an address in the person's browser. False: they declined. */
  openBrowser: (url: URL) => Promise<boolean>;
  /** The text that the browser shows at the end. */
  words: { signedIn: string; notSignedIn: string };
  signal: AbortSignal;
}

export interface StartedSignIn {
  /** Host of the authorization server. */
  at: string;
  /** Never rejects. Errors: `cancelled`, `denied`, `provider`. */
  finished: Promise<Result<SignIn>>;
}

/**
 * Signs the person in through their browser with OAuth 2.1: the server's metadata, a new client registration for this
 * sign-in, a code with PKCE that returns to this computer, and the tokens for it. Resolves once the browser shows the page.
 * Errors: `provider` if the server has no such sign-in, `cancelled`.
 */
export async function beginSignIn(options: SignInOptions): Promise<Result<StartedSignIn>> {
  const { address, challenge, openBrowser, words } = options;
  const state = randomBytes(32).toString('base64url');
  const answer = await listenForAnswer(state, words);
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(SIGN_IN_WITHIN)]);
  const asking = askingProvider(answer.address, state);
  const { ask } = signInFetch(address);
  const more = {
    serverUrl: address,
    fetchFn: (url: string | URL, init?: RequestInit) => ask(url, { ...init, signal }),
    ...optional({ resourceMetadataUrl: challenge.resourceMetadataUrl, scope: challenge.scope }),
  };
  try {
    await auth(asking.provider, more);
    const page = asking.page();
    if (page === undefined) throw problem(because('mcp_sign_in_without_page'));
    if (!mayName(address, page)) throw problem(because('mcp_sign_in_page_unsafe', { address: page.origin }));
    if (!(await openBrowser(page))) {
      answer.close();
      return fail('cancelled', 'browser_not_opened');
    }
    signal.throwIfAborted();
    return ok({ at: page.host, finished: finish(page) });
  } catch (error) {
    answer.close();
    return failureOf(error, options.signal);
  }

  async function finish(page: URL): Promise<Result<SignIn>> {
    try {
      const redirect = await answer.wait(signal);
      if ('error' in redirect) return fail('denied', 'sign_in_refused', {}, redirect.error);
      if (asking.isMixedUp(redirect.issuer)) return fail('denied', 'sign_in_mixed_up');
      await auth(asking.provider, {
        ...more,
        authorizationCode: redirect.code,
        ...optional({ iss: redirect.issuer ?? undefined }),
      });
      return ok(asking.result(address, page.host));
    } catch (error) {
      return failureOf(error, options.signal);
    } finally {
      answer.close();
    }
  }
}

/** Keeps the state of one sign-in in memory. */
function askingProvider(redirect: string, state: string) {
  const memory: {
    client?: SignIn['client'];
    tokens?: SignIn['tokens'];
    verifier?: string;
    page?: URL;
    found?: Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0];
  } = {};
  const provider: OAuthClientProvider = {
    redirectUrl: redirect,
    clientMetadata: metadata(redirect),
    state: () => state,
    clientInformation: () => memory.client,
    saveClientInformation: (client) => {
      memory.client = client;
    },
    tokens: () => undefined,
    saveTokens: (tokens) => {
      memory.tokens = tokens;
    },
    redirectToAuthorization: (page) => {
      memory.page = page;
    },
    saveCodeVerifier: (verifier) => {
      memory.verifier = verifier;
    },
    codeVerifier: () => {
      if (memory.verifier === undefined) throw new Error('No sign-in has started.');
      return memory.verifier;
    },
    discoveryState: () => memory.found,
    saveDiscoveryState: (found) => {
      memory.found = found;
    },
  };
  const server = () => memory.found?.authorizationServerMetadata;
  return {
    provider,
    page: () => memory.page,
    /** Whether the response comes from an issuer other than the one asked (RFC 9207). */
    isMixedUp: (issuer: string | null): boolean => {
      const says = server();
      const isPromised =
        says !== undefined && Reflect.get(says, 'authorization_response_iss_parameter_supported') === true;
      if (issuer === null) return isPromised;
      return says !== undefined && issuer !== says.issuer;
    },
    result: (address: string, at: string): SignIn => {
      const { client, tokens } = memory;
      if (client === undefined || tokens === undefined) throw problem(because('mcp_sign_in_without_token'));
      const says = server();
      const revocation: unknown = says === undefined ? undefined : Reflect.get(says, 'revocation_endpoint');
      return {
        address,
        at,
        as: nameIn(tokens.id_token),
        client,
        tokens,
        revocation: typeof revocation === 'string' ? revocation : null,
      };
    },
  };
}

/** Revokes the tokens, if the server supports it (RFC 7009). Never rejects, because the local sign-out is what counts. */
export async function revoke({ address, revocation, client, tokens }: SignIn): Promise<void> {
  if (revocation === null || !URL.canParse(revocation)) return;
  const { ask } = signInFetch(address);
  const signal = AbortSignal.timeout(REVOKE_WITHIN);
  const named = [
    ['refresh_token', tokens.refresh_token],
    ['access_token', tokens.access_token],
  ] as const;
  for (const [token_type_hint, token] of named) {
    if (token === undefined) continue;
    const body = new URLSearchParams({ token, token_type_hint, client_id: client.client_id });
    if (client.client_secret !== undefined) body.set('client_secret', client.client_secret);
    await ask(revocation, { method: 'POST', body, signal }).catch(() => undefined);
  }
}

/** Bytes of the claims of an identity token. */
const MAX_CLAIMS = 100_000;
const Claims = z.object({
  email: z.string().optional(),
  preferred_username: z.string().optional(),
  name: z.string().optional(),
});

/** The name in an identity token. It is only displayed and never trusted, so its signature is not verified. */
function nameIn(token: string | undefined): string | null {
  const [, middle = ''] = token?.split('.') ?? [];
  const read = parseJson(Buffer.from(middle, 'base64url').toString('utf8'), { maxBytes: MAX_CLAIMS });
  const claims = 'value' in read ? Claims.safeParse(read.value).data : undefined;
  const name = claims?.email ?? claims?.preferred_username ?? claims?.name ?? '';
  return name === '' ? null : name.slice(0, 200);
}

function failureOf(error: unknown, stopped: AbortSignal): Result<never> {
  if (stopped.aborted) return fail('cancelled', 'sign_in_cancelled');
  if (error instanceof Error && error.name === 'TimeoutError') return fail('cancelled', 'sign_in_too_slow');
  const said = error instanceof Error ? error.message : String(error);
  return /does not support dynamic client registration/.test(said)
    ? fail('provider', 'sign_in_unknown_app', {}, said)
    : error instanceof ServerProblem
      ? { ok: false, error: appError('provider', errorText('sign_in_failed'), { cause: error.why[0] }) }
      : fail('provider', 'sign_in_failed', {}, said);
}
