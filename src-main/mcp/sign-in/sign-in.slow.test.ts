import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { errorIn } from '../../../src-renderer/i18n/errors';
import { because } from '../../contract/shared/reasons';
import { inWords } from '../../contract/testing/in-words';
import { type AuthorizationFaults, authorizationServer } from '../testing/authorization-server';
import { httpTrial, place } from '../testing/place';

// Programs start slowly on test machines.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 20_000, interval: 20 });

/** The trial server behind a sign-in. */
async function authorization(faults: AuthorizationFaults = {}) {
  const server = await authorizationServer((await httpTrial()).url, faults);
  onTestFinished(server.close);
  return server;
}

/** A guarded server, and a user whose browser follows redirects and agrees. */
async function guarded({
  faults = {},
  ...more
}: {
  faults?: AuthorizationFaults;
  withKeychain?: boolean;
} = {}) {
  const auth = await authorization(faults);
  const opened: URL[] = [];
  const pages: string[] = [];
  const person = {
    opened,
    pages,
    /** If false, they look at the page and do nothing yet. */
    agrees: true,
    opens: true,
    /** Follows the page's redirect. */
    agree: async (page: URL | undefined) => {
      if (page === undefined) throw new Error('No page was opened.');
      pages.push(await (await fetch(page)).text());
    },
  };
  const config = { far: { url: auth.address, headers: { 'X-Of-The-Person': 'mine-alone-123' } } };
  const t = place(config, {
    ...more,
    browse: async (page) => {
      if (!person.opens) return false;
      opened.push(page);
      if (person.agrees) void person.agree(page);
      return true;
    },
  });
  const state = async () => (await t.shown('far')).state;
  const ready = () => soon(async () => expect(await state()).toEqual({ phase: 'ready' }));
  const wanted = () => soon(async () => expect(await state()).toEqual({ phase: 'signIn', problem: null }));
  const failed = () =>
    soon(async () => {
      const now = await state();
      if (now.phase !== 'signIn' || now.problem === null) throw new Error(`It is ${JSON.stringify(now)}.`);
      return errorIn('en', now.problem);
    });
  const signIn = () => t.mcp.signIn(t.project, 'person:far');
  const signedIn = async () => {
    await wanted();
    expect(await signIn()).toEqual({ ok: true, value: {} });
    await ready();
  };
  return { t, auth, person, state, ready, wanted, failed, signIn, signedIn };
}

describe('a server that requires a sign-in', () => {
  it('is reported, does not open the browser automatically, and offers no tools', async () => {
    const { t, auth, person, wanted } = await guarded();
    expect(await t.tools()).toEqual([]);
    await wanted();
    expect(t.unknown).toEqual([['far']]);
    expect(person.opened).toEqual([]);
    // It was not asked for its metadata, and Deepdesk was not registered.
    expect(auth.seen).toEqual([]);
  });

  it('works after the user has signed in with the browser', async () => {
    const { t, auth, person, signedIn } = await guarded();
    await signedIn();
    expect(await t.call('far__echo', { text: 'hello' })).toEqual({ status: 'success', content: 'hello' });
    expect((await t.shown('far')).account).toEqual({
      at: new URL(auth.origin).host,
      as: 'me@example.com',
    });
    const [page] = person.opened;
    expect(Object.fromEntries(page?.searchParams ?? [])).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/signed-in$/) as unknown,
      state: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      resource: auth.address,
      scope: 'tools',
    });
    await soon(() => expect(person.pages.join()).toContain('You are signed in.'));
    expect(auth.refused).toEqual([]);
  });

  it('keeps its tokens out of files and the window, and treats them as secrets', async () => {
    const { t, signedIn } = await guarded();
    await signedIn();
    const tokens = await t.mcp.typedSecrets();
    expect(tokens.map((token) => token.split(/[-.]/u)[0])).toEqual(['access', 'refresh', 'e30']);
    const shown =
      JSON.stringify(await t.mcp.list(t.project)) + readFileSync(join(t.dataDir, 'mcp.json'), 'utf8');
    for (const token of tokens) expect(shown).not.toContain(token);
  });

  it('gets its configured headers, which the authorization server does not get', async () => {
    const { t, auth, signedIn } = await guarded();
    await signedIn();
    await t.call('far__echo', { text: 'x' });
    expect(auth.leaked).toEqual([]);
  });

  it('is still signed in after a restart', async () => {
    const { t, auth, signedIn } = await guarded();
    await signedIn();
    await t.mcp.close();
    const next = t.again();
    await soon(async () =>
      expect((await next.list(null)).servers[0]).toMatchObject({
        state: { phase: 'ready' },
        account: { at: new URL(auth.origin).host },
      }),
    );
  });

  it('does not get the tokens of another address', async () => {
    const { t, signedIn } = await guarded();
    const other = await authorization();
    await signedIn();
    t.own({ far: { url: other.address } });
    await soon(async () =>
      expect(await t.shown('far')).toMatchObject({ state: { phase: 'signIn' }, account: null }),
    );
  });
});

describe('an expired token', () => {
  it('is refreshed without the user, once for all simultaneous requests', async () => {
    const { t, auth, person, signedIn } = await guarded();
    await signedIn();
    auth.expire();
    const calls = ['a', 'b', 'c'].map((text) => t.call('far__echo', { text }));
    expect((await Promise.all(calls)).map(({ content }) => content)).toEqual(['a', 'b', 'c']);
    expect(auth.refused).toEqual([]);
    expect(person.opened).toHaveLength(1);
    expect(auth.seen.filter((path) => path === 'POST /token')).toHaveLength(2);
  });

  it('asks for a new sign-in when it cannot be refreshed', async () => {
    const { t, auth, wanted, signedIn, signIn, ready } = await guarded();
    await signedIn();
    auth.endGrants();
    const answer = await t.call('far__echo', { text: 'x' });
    expect(answer).toMatchObject({
      status: 'error',
      content: expect.stringContaining('It needs a sign-in') as unknown,
    });
    await wanted();
    expect((await t.shown('far')).account).toBeNull();
    await signIn();
    await ready();
  });

  it('is kept when the server could not be reached', async () => {
    const { t, auth, signedIn } = await guarded();
    await signedIn();
    auth.expire();
    auth.down(true);
    expect(await t.call('far__echo', { text: 'x' })).toMatchObject({ status: 'error' });
    expect((await t.shown('far')).account).not.toBeNull();
    auth.down(false);
    await soon(async () => expect((await t.shown('far')).state.phase).not.toBe('starting'));
    t.later(120_000);
    expect(await t.call('far__echo', { text: 'back' })).toEqual({ status: 'success', content: 'back' });
  });
});

describe('a failed sign-in', () => {
  it('reports the reason for a refusal', async () => {
    const { person, failed, wanted, signIn } = await guarded({ faults: { denies: true } });
    await wanted();
    await signIn();
    expect(await failed()).toMatchObject({ message: 'The sign-in was refused.', detail: 'You said <no>.' });
    expect(person.pages).toEqual([expect.stringContaining("You aren't signed in.")]);
  });

  it('rejects a response from an issuer other than the one asked', async () => {
    const { auth, failed, wanted, signIn } = await guarded({ faults: { otherIssuer: true } });
    await wanted();
    await signIn();
    expect((await failed()).message).toMatch(/came from a different server/);
    expect(auth.seen).not.toContain('POST /token');
  });

  it('keeps waiting when a response with an unknown state arrives', async () => {
    const { auth, person, state, wanted, ready, signIn } = await guarded();
    person.agrees = false;
    await wanted();
    await signIn();
    expect(await state()).toEqual({ phase: 'signingIn', at: new URL(auth.origin).host });
    const [page] = person.opened;
    const back = new URL(page?.searchParams.get('redirect_uri') ?? '');
    for (const query of ['?code=stolen', '?code=stolen&state=guess', '?error=access_denied&state=']) {
      expect((await fetch(back.href + query)).status).toBe(404);
    }
    expect(await state()).toMatchObject({ phase: 'signingIn' });
    await person.agree(page);
    await ready();
  });

  it('stops and closes its listener when the user cancels', async () => {
    const { t, person, wanted, signIn } = await guarded();
    person.agrees = false;
    await wanted();
    await signIn();
    await t.mcp.cancelSignIn(t.project, 'person:far');
    await wanted();
    const back = person.opened[0]?.searchParams.get('redirect_uri') ?? '';
    await soon(() => expect(fetch(back)).rejects.toThrow());
  });

  it('stops when the user declines to open the browser', async () => {
    const { person, wanted, signIn } = await guarded();
    person.opens = false;
    await wanted();
    expect(await signIn()).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
    await wanted();
  });

  it('explains what to do when apps cannot register themselves', async () => {
    const { wanted, signIn } = await guarded({ faults: { noRegistration: true } });
    await wanted();
    expect(inWords(await signIn())).toMatchObject({
      ok: false,
      error: {
        kind: 'provider',
        message: expect.stringContaining('Create a token on its website') as unknown,
      },
    });
  });

  it('is reported when the server has no sign-in', async () => {
    const { person, wanted, signIn } = await guarded({ faults: { hidden: true } });
    await wanted();
    expect(await signIn()).toMatchObject({ ok: false, error: { kind: 'provider' } });
    expect(person.opened).toEqual([]);
  });

  it('opens no page that would send a password unencrypted', async () => {
    const { person, wanted, signIn } = await guarded({
      faults: { authorizationEndpoint: 'http://login.example/authorize' },
    });
    await wanted();
    expect(await signIn()).toMatchObject({
      ok: false,
      error: { cause: because('mcp_sign_in_page_unsafe', { address: 'http://login.example' }) },
    });
    expect(person.opened).toEqual([]);
  });
});

describe('signing out', () => {
  it('revokes the tokens and deletes them', async () => {
    const { t, auth, wanted, signedIn } = await guarded();
    await signedIn();
    expect(await t.mcp.signOut(t.project, 'person:far')).toEqual({ ok: true, value: {} });
    await wanted();
    expect(auth.revoked).toEqual(['refresh', 'access']);
    expect([...t.values.keys()]).toEqual([]);
    expect(await t.tools()).toEqual([]);
    expect(await t.mcp.typedSecrets()).toEqual([]);
  });

  it('happens when the server is removed, but not when it is renamed', async () => {
    const { t, auth, signedIn } = await guarded();
    await signedIn();
    const draft = {
      name: 'near',
      previous: 'far',
      transport: 'http' as const,
      command: '',
      args: [],
      cwd: '',
      url: auth.address,
      secrets: [],
      timeoutSeconds: 60,
    };
    expect(await t.mcp.save(draft)).toEqual({ ok: true, value: {} });
    await soon(async () => expect((await t.shown('near')).state).toEqual({ phase: 'ready' }));
    await t.mcp.remove('near');
    expect([...t.values.keys()]).toEqual([]);
  });
});

it('is not offered for a server with a configured key', async () => {
  const auth = await authorization();
  const t = place({ far: { url: auth.address, headers: { authorization: 'Bearer wrong' } } });
  await soon(async () => expect((await t.shown('far')).state).toMatchObject({ phase: 'failed' }));
  expect(await t.mcp.signIn(null, 'person:far')).toMatchObject({ ok: false, error: { kind: 'unsupported' } });
});
