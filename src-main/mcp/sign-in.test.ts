import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { errorIn } from '../../src-renderer/i18n/errors';
import { inWords } from '../contract/testing/in-words';
import { type AuthorizationFaults, authorizationServer } from './testing/authorization-server';
import { httpTrial, place } from './testing/place';

// Programs take their time to start on machines that run tests.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 20_000, interval: 20 });

/** The trial server behind a sign-in. */
async function authorization(faults: AuthorizationFaults = {}) {
  const server = await authorizationServer((await httpTrial()).url, faults);
  onTestFinished(server.close);
  return server;
}

/** It, and a person whose browser goes where it is sent and agrees. */
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
    /** Otherwise they look at the page and do nothing yet. */
    agrees: true,
    opens: true,
    /** Goes where the page sends them. */
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

describe('a server that wants a sign-in', () => {
  it('is reported, opens no browser by itself, and offers nothing', async () => {
    const { t, auth, person, wanted } = await guarded();
    expect(await t.tools()).toEqual([]);
    await wanted();
    expect(t.unknown).toEqual([['far']]);
    expect(person.opened).toEqual([]);
    // Neither was it asked where one signs in, nor was Deepdesk registered there.
    expect(auth.seen).toEqual([]);
  });

  it('works once the user has signed in in the browser', async () => {
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

  it('has its tokens in no file and shows them nowhere, and they are known as secrets', async () => {
    const { t, signedIn } = await guarded();
    await signedIn();
    const tokens = await t.mcp.typedSecrets();
    expect(tokens.map((token) => token.split(/[-.]/u)[0])).toEqual(['access', 'refresh', 'e30']);
    const shown =
      JSON.stringify(await t.mcp.list(t.project)) + readFileSync(join(t.dataDir, 'mcp.json'), 'utf8');
    for (const token of tokens) expect(shown).not.toContain(token);
  });

  it('gets the headers that are its own alone; the place to sign in does not', async () => {
    const { t, auth, signedIn } = await guarded();
    await signedIn();
    await t.call('far__echo', { text: 'x' });
    expect(auth.leaked).toEqual([]);
  });

  it('is still signed in to after the next start', async () => {
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

  it('is not sent the tokens of another address', async () => {
    const { t, signedIn } = await guarded();
    const other = await authorization();
    await signedIn();
    t.own({ far: { url: other.address } });
    await soon(async () =>
      expect(await t.shown('far')).toMatchObject({ state: { phase: 'signIn' }, account: null }),
    );
  });
});

describe('a token that has run out', () => {
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

  it('asks for a new sign-in where it cannot be renewed any more', async () => {
    const { t, auth, wanted, signedIn, signIn, ready } = await guarded();
    await signedIn();
    auth.endGrants();
    const answer = await t.call('far__echo', { text: 'x' });
    expect(answer).toMatchObject({
      status: 'error',
      content: expect.stringContaining('It wants the person to sign in') as unknown,
    });
    await wanted();
    expect((await t.shown('far')).account).toBeNull();
    await signIn();
    await ready();
  });

  it('is kept where the server could not be asked', async () => {
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

describe('a sign-in that does not come about', () => {
  it('was refused, and says why', async () => {
    const { person, failed, wanted, signIn } = await guarded({ faults: { denies: true } });
    await wanted();
    await signIn();
    expect(await failed()).toMatchObject({ message: 'The sign-in was refused.', detail: 'You said <no>.' });
    expect(person.pages).toEqual([expect.stringContaining('You are not signed in.')]);
  });

  it('is not made with an answer from another server than the one that was asked', async () => {
    const { auth, failed, wanted, signIn } = await guarded({ faults: { otherIssuer: true } });
    await wanted();
    await signIn();
    expect((await failed()).message).toMatch(/came from another server/);
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

  it('ends when the user gives up, and stops listening', async () => {
    const { t, person, wanted, signIn } = await guarded();
    person.agrees = false;
    await wanted();
    await signIn();
    await t.mcp.cancelSignIn(t.project, 'person:far');
    await wanted();
    const back = person.opened[0]?.searchParams.get('redirect_uri') ?? '';
    await soon(() => expect(fetch(back)).rejects.toThrow());
  });

  it('ends when the user does not want the browser to open', async () => {
    const { person, wanted, signIn } = await guarded();
    person.opens = false;
    await wanted();
    expect(await signIn()).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
    await wanted();
  });

  it('says what to do where no app may register itself', async () => {
    const { wanted, signIn } = await guarded({ faults: { noRegistration: true } });
    await wanted();
    expect(inWords(await signIn())).toMatchObject({
      ok: false,
      error: { kind: 'provider', message: expect.stringContaining('Make a token on its website') as unknown },
    });
  });

  it('is reported when there is nothing to sign in to', async () => {
    const { person, wanted, signIn } = await guarded({ faults: { hidden: true } });
    await wanted();
    expect(await signIn()).toMatchObject({ ok: false, error: { kind: 'provider' } });
    expect(person.opened).toEqual([]);
  });

  it('opens no page to which a password would go in the clear', async () => {
    const { person, wanted, signIn } = await guarded({
      faults: { authorizationEndpoint: 'http://login.example/authorize' },
    });
    await wanted();
    expect(await signIn()).toMatchObject({
      ok: false,
      error: { detail: expect.stringContaining('http://login.example, which is not safe') as unknown },
    });
    expect(person.opened).toEqual([]);
  });
});

describe('signing out', () => {
  it('gives the tokens back and forgets them', async () => {
    const { t, auth, wanted, signedIn } = await guarded();
    await signedIn();
    expect(await t.mcp.signOut(t.project, 'person:far')).toEqual({ ok: true, value: {} });
    await wanted();
    expect(auth.revoked).toEqual(['refresh', 'access']);
    expect([...t.values.keys()]).toEqual([]);
    expect(await t.tools()).toEqual([]);
    expect(await t.mcp.typedSecrets()).toEqual([]);
  });

  it('happens when the server is removed; a new name keeps the sign-in', async () => {
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

it('is not offered to a server that has a key of its own', async () => {
  const auth = await authorization();
  const t = place({ far: { url: auth.address, headers: { authorization: 'Bearer wrong' } } });
  await soon(async () => expect((await t.shown('far')).state).toMatchObject({ phase: 'failed' }));
  expect(await t.mcp.signIn(null, 'person:far')).toMatchObject({ ok: false, error: { kind: 'unsupported' } });
});
