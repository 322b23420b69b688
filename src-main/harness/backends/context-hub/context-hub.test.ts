import { ContextHubBackend as PublishedBackend } from 'deepagents';
import { Client } from 'langsmith';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { describeBackend } from '../backend.contract';
import { type HubServer, startHub } from '../testing/hub-server';
import { ContextHubBackend } from './context-hub';
import type { HubClient } from './context-hub-repository';

/** LangSmith's client over real HTTP, with short timeouts for answers that never come. */
const clientOf = (server: HubServer, timeoutMs = 5_000) =>
  new Client({ apiUrl: server.url, apiKey: 'test', timeout_ms: timeoutMs, autoBatchTracing: false });

const setUp = async (timeoutMs?: number) => {
  const server = await startHub();
  onTestFinished(() => server.close());
  return { server, backend: new ContextHubBackend('me/notes', { client: clientOf(server, timeoutMs) }) };
};

let shared: HubServer;
let nth = 0;
beforeAll(async () => {
  shared = await startHub();
});
afterAll(() => shared.close());

describeBackend('ContextHubBackend', async () => ({
  backend: new ContextHubBackend(`me/repo-${++nth}`, { client: clientOf(shared) }),
  textOnly: true,
}));

describe('ContextHubBackend', () => {
  it('pulls once, on first use, and treats a missing repository as empty', async () => {
    const { server, backend } = await setUp();
    expect(server.requests).toEqual([]);
    const [listed, prior] = await Promise.all([backend.ls('/'), backend.hasPriorCommits()]);
    expect([listed, prior]).toEqual([{ files: [], total: 0 }, false]);
    expect(server.requests).toEqual(['pull']);
  });

  it('takes an answer that is no commit for no empty repository', async () => {
    const client: HubClient = {
      pullAgent: async () => ({ message: 'Sign in' }) as never,
      pushAgent: async () => {
        throw new Error('not reached');
      },
    };
    const backend = new ContextHubBackend('notes', { client });
    const failed = { kind: 'network', error: 'Hub unavailable: the answer is no commit of a repository' };
    expect(await backend.ls('/')).toEqual(failed);
    expect(await backend.write('/a.md', 'one')).toEqual(failed);
  });

  it('gathers changes of the same moment into one commit on the known parent', async () => {
    const { server, backend } = await setUp();
    await backend.write('/a.md', 'one');
    expect(server.history('notes')).toHaveLength(1);
    await Promise.all([
      backend.edit('/a.md', 'one', 'two'),
      backend.write('/d/b.md', 'b'),
      backend.edit('/d/b.md', 'b', 'c'),
      backend.write('/e.md', 'e'),
      backend.delete('/e.md'),
    ]);
    expect(server.history('notes')).toHaveLength(2);
    expect(server.files('notes')).toEqual({ 'a.md': 'two', 'd/b.md': 'c' });
    expect(await backend.hasPriorCommits()).toBe(true);
  });

  it('shows a write before it is in the Hub, and resolves once it is', async () => {
    const { server, backend } = await setUp();
    await backend.ls('/');
    const writing = backend.write('/a.md', 'soon');
    expect((await backend.read('/a.md')).content).toBe('soon');
    expect(server.history('notes')).toEqual([]);
    expect(await writing).toMatchObject({ path: '/a.md', filesUpdate: null });
    expect(server.files('notes')).toEqual({ 'a.md': 'soon' });
  });

  it("replays an edit once on top of somebody else's commit", async () => {
    const { server, backend } = await setUp();
    server.commit('notes', { 'a.md': 'x', 'b.md': 'theirs' });
    await backend.ls('/');
    server.commit('notes', { 'a.md': 'start x end' });
    expect(await backend.edit('/a.md', 'x', 'xx')).toMatchObject({
      path: '/a.md',
      filesUpdate: null,
      occurrences: 1,
    });
    expect(server.files('notes')).toEqual({ 'a.md': 'start xx end', 'b.md': 'theirs' });
    expect((await backend.read('/a.md')).content).toBe('start xx end');
  });

  it('reports the result of each replayed change', async () => {
    const { server, backend } = await setUp();
    server.commit('notes', { 'a.md': 'x', 'd/1.md': '1' });
    await backend.ls('/');
    server.commit('notes', { 'a.md': 'y', 'd/2.md': '2', 'new.md': 'theirs' });
    const [edited, created, written, deleted] = await Promise.all([
      backend.edit('/a.md', 'x', 'xx'),
      backend.write('/new.md', 'mine', { createOnly: true }),
      backend.write('/c.md', 'mine'),
      backend.delete('/d'),
    ]);
    expect([edited.error, created.kind, written.error, deleted.error]).toEqual([
      "Error: String not found in file: 'x'",
      'conflict',
      undefined,
      undefined,
    ]);
    // A file added to the deleted folder since then is deleted with it.
    expect(server.files('notes')).toEqual({ 'a.md': 'y', 'c.md': 'mine', 'new.md': 'theirs' });
  });

  it('replays three times, then gives up and changes nothing', async () => {
    const { server, backend } = await setUp();
    let count = 0;
    const race = { before: () => server.commit('notes', { 'n.md': `${++count}` }) };
    server.commit('notes', { 'a.md': 'x' });
    server.fail('push', race, race, race);
    expect((await backend.edit('/a.md', 'x', 'y')).error).toBeUndefined();
    expect(server.files('notes')).toEqual({ 'a.md': 'y', 'n.md': '3' });
    server.fail('push', race, race, race, race);
    expect(await backend.edit('/a.md', 'y', 'z')).toMatchObject({
      kind: 'conflict',
      error: expect.stringContaining('Hub unavailable: '),
    });
    expect(server.files('notes')).toEqual({ 'a.md': 'y', 'n.md': '7' });
    expect((await backend.read('/a.md')).content).toBe('y');
  });

  it.each(['cut', 'drop', { lost: 520 }] as const)(
    'finds a commit whose answer was lost (%o), and applies nothing twice',
    async (fault) => {
      const { server, backend } = await setUp();
      server.commit('notes', { 'a.md': 'x' });
      server.fail('push', fault);
      expect((await backend.edit('/a.md', 'x', 'xx')).error).toBeUndefined();
      expect(server.files('notes')).toEqual({ 'a.md': 'xx' });
      expect((await backend.edit('/a.md', 'xx', 'xxx')).error).toBeUndefined();
      expect(server.files('notes')).toEqual({ 'a.md': 'xxx' });
      expect(server.history('notes')).toHaveLength(3);
    },
  );

  it('recognizes its own commit behind a conflict when the client retried automatically', async () => {
    const { server, backend } = await setUp();
    server.commit('notes', { 'a.md': 'x' });
    // The push is stored, answered with 500, and retried: by then somebody has committed on top, and the parent is old.
    server.fail(
      'push',
      { lost: 500 },
      { before: () => server.commit('notes', { 'a.md': 'xx, and theirs' }) },
    );
    expect((await backend.edit('/a.md', 'x', 'xx')).error).toBeUndefined();
    expect(server.requests.filter((route) => route === 'push')).toHaveLength(2);
    expect(server.files('notes')).toEqual({ 'a.md': 'xx, and theirs' });
  });

  it("sees others' commits once its pull is too old, and its own in any case", async () => {
    const { server } = await setUp();
    const fresh = new ContextHubBackend('me/notes', { client: clientOf(server), maxAgeMs: 0 });
    server.commit('notes', { 'a.md': 'one' });
    expect((await fresh.read('/a.md')).content).toBe('one');
    server.commit('notes', { 'a.md': 'two' });
    expect((await fresh.read('/a.md')).content).toBe('two');
    // A pull that started before a commit and ends after it must not bring the old files back.
    const pushed: Promise<unknown>[] = [];
    server.fail('pull', { before: () => void pushed.push(fresh.write('/b.md', 'mine')) });
    await fresh.read('/a.md');
    await Promise.all(pushed);
    expect((await fresh.read('/b.md')).content).toBe('mine');
    expect(server.files('notes')).toEqual({ 'a.md': 'two', 'b.md': 'mine' });
  });

  it('reports when nobody can tell whether a change was stored, and does not repeat it', async () => {
    const { server, backend } = await setUp();
    server.commit('notes', { 'a.md': 'x' });
    await backend.ls('/');
    server.fail('push', { lost: 520 });
    server.fail('pull', { status: 501 });
    expect(await backend.edit('/a.md', 'x', 'xx')).toMatchObject({
      kind: 'network',
      error: expect.stringMatching(/^Hub unavailable: .*It is not known whether the change was stored/s),
    });
    expect((await backend.read('/a.md')).content).toBe('xx');
    expect(server.requests.filter((route) => route === 'push')).toHaveLength(1);
  });

  it('reports that the Hub is unavailable, and works again when it is back', async () => {
    const { server, backend } = await setUp(300);
    server.commit('notes', { 'a.md': 'x' });
    server.fail('pull', { status: 520 }, { status: 403 }, 'cut', 'hang');
    const kinds = [];
    for (let n = 0; n < 4; n += 1) {
      const { error, kind } = await backend.read('/a.md');
      kinds.push([error?.startsWith('Hub unavailable: '), kind]);
    }
    expect(kinds).toEqual([
      [true, 'network'],
      [true, 'denied'],
      [true, 'network'],
      [true, 'timeout'],
    ]);
    server.fail('push', { status: 520 }, 'hang');
    expect((await backend.write('/a.md', 'y')).kind).toBe('network');
    expect((await backend.write('/a.md', 'y')).kind).toBe('timeout');
    expect((await backend.read('/a.md')).content).toBe('x');
    expect((await backend.write('/a.md', 'y')).error).toBeUndefined();
    expect(server.files('notes')).toEqual({ 'a.md': 'y' });
  });

  it('fails only the changes being sent, and sends later ones separately', async () => {
    const { server, backend } = await setUp();
    server.commit('notes', { 'a.md': 'x' });
    await backend.ls('/');
    let second: Promise<{ error?: string }> = Promise.resolve({});
    server.fail('push', { status: 520 });
    server.fail('repo', {
      before: () => {
        second = backend.write('/b.md', 'second');
      },
    });
    expect((await backend.write('/a.md', 'first')).kind).toBe('network');
    expect((await second).error).toBeUndefined();
    expect(server.files('notes')).toEqual({ 'a.md': 'x', 'b.md': 'second' });
  });

  it('loses nothing when two writers race', async () => {
    const { server, backend } = await setUp();
    const other = new ContextHubBackend('me/notes', { client: clientOf(server) });
    await backend.write('/log.md', 'start');
    const words = Array.from({ length: 6 }, (_, n) => n);
    const results = [];
    for (const n of words)
      results.push(
        ...(await Promise.all([
          backend.edit('/log.md', 'start', `start a${n}`),
          other.edit('/log.md', 'start', `start b${n}`),
          backend.write(`/a${n}`, ''),
          other.write(`/b${n}`, ''),
        ])),
      );
    expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
    const { 'log.md': log = '', ...files } = server.files('notes');
    expect(log.split(' ').sort()).toEqual(['start', ...words.flatMap((n) => [`a${n}`, `b${n}`])].sort());
    expect(Object.keys(files)).toHaveLength(12);
  });

  it('undoes only what was canceled before it was sent', async () => {
    const { server, backend } = await setUp();
    await backend.write('/a.md', 'x');
    const stop = new AbortController();
    const cancelled = backend.edit('/a.md', 'x', 'cancelled', false, { signal: stop.signal });
    const kept = backend.write('/b.md', 'kept');
    expect((await backend.read('/a.md')).content).toBe('cancelled');
    stop.abort(new Error('stopped'));
    await expect(cancelled).rejects.toThrow('stopped');
    expect((await backend.read('/a.md')).content).toBe('x');
    expect((await kept).error).toBeUndefined();
    expect(server.files('notes')).toEqual({ 'a.md': 'x', 'b.md': 'kept' });
  });

  it('shows linked repositories and does not change them', async () => {
    const { server, backend } = await setUp();
    server.commit('notes', {
      'AGENTS.md': 'x',
      'skills/pdf': { type: 'skill', repo_handle: 'pdf-skill', owner: 'me' },
    });
    expect(await backend.getLinkedEntries()).toEqual({ 'skills/pdf': 'pdf-skill' });
    const reason =
      "'/skills/pdf/SKILL.md' belongs to the linked repository 'pdf-skill' and is changed there.";
    expect(await backend.write('/skills/pdf/SKILL.md', 'x')).toEqual({ error: reason, kind: 'denied' });
    expect((await backend.delete('/skills/pdf')).kind).toBe('denied');
    expect((await backend.write('/skills/pdf2', 'x')).error).toBeUndefined();
    expect(await backend.getLinkedEntries()).toEqual({ 'skills/pdf': 'pdf-skill' });
  });
});

describe('the Hub of these tests', () => {
  it("works with the package's ContextHubBackend, and each sees what the other wrote", async () => {
    const { server, backend } = await setUp();
    const published = new PublishedBackend('me/notes', { client: clientOf(server) });
    await backend.write('/a.md', 'ours');
    expect((await published.read('/a.md')).content).toBe('ours');
    expect((await published.edit('/a.md', 'ours', 'theirs')).error).toBeUndefined();
    // Ours still has the previous commit: a real conflict.
    expect((await backend.write('/b.md', 'b')).error).toBeUndefined();
    expect((await backend.read('/a.md')).content).toBe('theirs');
    expect((await published.write('/c.md', 'c')).error).toBeUndefined();
    expect((await published.delete('/b.md')).error).toBeUndefined();
    expect(server.files('notes')).toEqual({ 'a.md': 'theirs', 'c.md': 'c' });
    expect(await published.hasPriorCommits()).toBe(true);
  });
});
