import { createHash, randomUUID } from 'node:crypto';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';

/** How it deviates from a correct server. */
export interface AuthorizationFaults {
  /** Apps cannot register themselves. */
  noRegistration?: boolean;
  /** The person declines. */
  denies?: boolean;
  /** The response names an issuer other than the one asked. */
  otherIssuer?: boolean;
  /** It does not reveal its location: no challenge and no metadata. */
  hidden?: boolean;
  /** The sign-in address that it announces, instead of its own. */
  authorizationEndpoint?: string;
  /** Issues no refresh token. */
  noRefresh?: boolean;
}

/**
 * An authorization server on loopback that also guards the MCP server at `behind`: RFC 9728 and 8414 (metadata), 7591
 * (registration), OAuth 2.1 with PKCE, single-use codes and refresh tokens (a second use ends the grant), 8707 (resource),
 * 9207 (issuer) and 7009 (revocation). Each refusal is recorded in `refused`.
 */
export async function authorizationServer(behind: string, faults: AuthorizationFaults = {}) {
  const clients = new Map<string, { redirectUris: string[] }>();
  const codes = new Map<
    string,
    { challenge: string; redirect: string; client: string; resource: string | null }
  >();
  const access = new Set<string>();
  const refresh = new Map<string, { client: string; isUsed: boolean }>();
  const refused: string[] = [];
  const seen: string[] = [];
  const leaked: string[] = [];
  const revoked: string[] = [];
  let isDown = false;

  const http = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      refused.push(String(error));
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const at = http.address();
  const origin = `http://127.0.0.1:${at !== null && typeof at === 'object' ? at.port : 0}`;

  const json = (response: ServerResponse, status: number, value: unknown) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(JSON.stringify(value));
  const refuse = (response: ServerResponse, error: string, why: string) => {
    refused.push(why);
    return json(response, 400, { error, error_description: why });
  };
  const give = (response: ServerResponse, client: string) => {
    const [token, renewal] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    access.add(token);
    refresh.set(renewal, { client, isUsed: false });
    const claims = Buffer.from(JSON.stringify({ email: 'me@example.com' })).toString('base64url');
    return json(response, 200, {
      access_token: token,
      token_type: 'Bearer',
      expires_in: 3_600,
      id_token: `e30.${claims}.none`,
      ...(faults.noRefresh ? {} : { refresh_token: renewal }),
    });
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<ServerResponse> {
    const url = new URL(request.url ?? '/', origin);
    const path = url.pathname;
    if (path === '/mcp') return guard(request, response);
    seen.push(`${request.method} ${path}`);
    if (request.headers['x-of-the-person'] !== undefined) leaked.push(path);
    if (isDown) return response.writeHead(503).end();
    if (faults.hidden) return response.writeHead(404).end();
    if (path === '/.well-known/oauth-protected-resource/mcp') {
      return json(response, 200, {
        resource: `${origin}/mcp`,
        authorization_servers: [origin],
        scopes_supported: ['tools'],
      });
    }
    if (path === '/.well-known/oauth-authorization-server') {
      return json(response, 200, {
        issuer: origin,
        authorization_endpoint: faults.authorizationEndpoint ?? `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        revocation_endpoint: `${origin}/revoke`,
        ...(faults.noRegistration ? {} : { registration_endpoint: `${origin}/register` }),
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        authorization_response_iss_parameter_supported: true,
      });
    }
    if (path === '/register' && request.method === 'POST') {
      const asked = JSON.parse(await bodyOf(request)) as { redirect_uris: string[] };
      const id = `client-${randomUUID()}`;
      clients.set(id, { redirectUris: asked.redirect_uris });
      return json(response, 201, { ...asked, client_id: id, client_id_issued_at: 1 });
    }
    if (path === '/authorize') return authorize(url, response);
    if (path === '/token' && request.method === 'POST')
      return token(new URLSearchParams(await bodyOf(request)), response);
    if (path === '/revoke' && request.method === 'POST') {
      const named = new URLSearchParams(await bodyOf(request)).get('token') ?? '';
      revoked.push(named.replace(/-.*/s, ''));
      access.delete(named);
      refresh.delete(named);
      return response.writeHead(200).end();
    }
    return response.writeHead(404).end();
  }

  function authorize(url: URL, response: ServerResponse): ServerResponse {
    const asked = url.searchParams;
    const client = asked.get('client_id') ?? '';
    const redirect = asked.get('redirect_uri') ?? '';
    if (clients.get(client)?.redirectUris.includes(redirect) !== true)
      return refuse(response, 'invalid_request', 'unknown client or redirect');
    if (asked.get('response_type') !== 'code' || asked.get('code_challenge_method') !== 'S256')
      return refuse(response, 'invalid_request', 'no PKCE');
    const back = new URL(redirect);
    back.searchParams.set('state', asked.get('state') ?? '');
    back.searchParams.set('iss', faults.otherIssuer ? 'https://elsewhere.example' : origin);
    if (faults.denies) {
      back.searchParams.set('error', 'access_denied');
      back.searchParams.set('error_description', 'You said <no>.');
    } else {
      const code = `code-${randomUUID()}`;
      codes.set(code, {
        challenge: asked.get('code_challenge') ?? '',
        redirect,
        client,
        resource: asked.get('resource'),
      });
      back.searchParams.set('code', code);
    }
    return response.writeHead(302, { location: back.href }).end();
  }

  function token(asked: URLSearchParams, response: ServerResponse): ServerResponse {
    const client = asked.get('client_id') ?? '';
    if (!clients.has(client)) return refuse(response, 'invalid_client', 'unknown client');
    if (asked.get('grant_type') === 'refresh_token') {
      const known = refresh.get(asked.get('refresh_token') ?? '');
      if (known === undefined || known.client !== client || known.isUsed) {
        refresh.clear();
        access.clear();
        return refuse(response, 'invalid_grant', 'refresh token unknown or used twice');
      }
      known.isUsed = true;
      return give(response, client);
    }
    const code = codes.get(asked.get('code') ?? '');
    codes.delete(asked.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(asked.get('code_verifier') ?? '')
      .digest('base64url');
    if (code === undefined || code.client !== client || code.redirect !== asked.get('redirect_uri'))
      return refuse(response, 'invalid_grant', 'code unknown, or not for this client and redirect');
    if (code.challenge !== challenge) return refuse(response, 'invalid_grant', 'PKCE verifier does not fit');
    if (code.resource !== `${origin}/mcp` || asked.get('resource') !== `${origin}/mcp`)
      return refuse(response, 'invalid_target', 'not asked for this resource');
    return give(response, client);
  }

  function guard(request: IncomingMessage, response: ServerResponse): ServerResponse {
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (!access.has(token)) {
      const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp", scope="tools"`;
      return response.writeHead(401, faults.hidden ? {} : { 'www-authenticate': challenge }).end();
    }
    const { authorization: _ours, host: _host, ...headers } = request.headers;
    const on = forward(behind, { method: request.method ?? 'GET', headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(response);
    });
    on.on('error', () => response.destroy());
    response.on('close', () => on.destroy());
    request.pipe(on);
    return response;
  }

  return {
    origin,
    address: `${origin}/mcp`,
    /** The reasons of its refusals, in order. */
    refused,
    /** The requests it received, except those for the MCP server behind it. */
    seen,
    /** Paths that received the header meant only for the MCP server. */
    leaked,
    /** Kinds of tokens that were revoked. */
    revoked,
    /** Expires every access token. */
    expire: () => access.clear(),
    /** Rejects all earlier tokens and refreshes none of them. */
    endGrants: () => {
      access.clear();
      refresh.clear();
    },
    down: (is: boolean) => {
      isDown = is;
    },
    close: () => {
      http.closeAllConnections();
      http.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
