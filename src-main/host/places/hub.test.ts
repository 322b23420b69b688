import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startHub } from '../../harness/backends/testing/hub-server';
import { hubAt } from './hub';
import { instanceWith, openPlaceOf } from './testing/instance';

const KEY = 'lsv2-key-of-the-test';

async function startPlace() {
  const server = await startHub(KEY);
  onTestFinished(() => server.close());
  return { server, options: { kind: 'hub' as const, server: server.url, repository: 'me/notes' } };
}

const reached = (...[options, secret]: Parameters<typeof openPlaceOf>) =>
  openPlaceOf(options, secret).connection.check(AbortSignal.timeout(10_000));

const FILE = '/hub/style.md';
const read = { name: 'read_file', args: { file_path: FILE } };
const write = (content: string) => ({ name: 'write_file', args: { file_path: FILE, content } });

describe('the address of a repository in the Hub', () => {
  const own = { kind: 'hub' as const, server: '', repository: 'notes' };

  it.each([
    [{}, { host: 'api.smith.langchain.com', url: 'https://api.smith.langchain.com' }],
    [{ server: 'http://127.0.0.1:80/api/' }, { host: '127.0.0.1', url: 'http://127.0.0.1/api' }],
    [{ repository: 'Team-1/notes' }, {}],
  ])('is read from %j', (part, value) => {
    expect(hubAt({ ...own, ...part })).toMatchObject({ ok: true, value });
  });

  it.each([
    [{ server: 'example.org' }, 'place_hub_address'],
    [{ server: 'https://me:secret@example.org' }, 'place_hub_address'],
    [{ repository: '../notes' }, 'place_hub_repository'],
    [{ repository: 'a/b/c' }, 'place_hub_repository'],
  ])('is refused in %j', (part, code) => {
    expect(hubAt({ ...own, ...part })).toMatchObject({ ok: false, error: { kind: 'invalid', code } });
  });
});

describe('a repository of the Hub as a place', () => {
  it('says whether the key, the owner and the server are right', async () => {
    const { server, options } = await startPlace();
    expect(await reached(options, KEY)).toMatchObject({ phase: 'connected' });
    expect(await reached(options, 'wrong')).toMatchObject({
      phase: 'refused',
      error: { code: 'place_hub_key', detail: expect.stringContaining('Invalid token') },
    });
    expect(await reached({ ...options, repository: 'others/notes' }, KEY)).toMatchObject({
      phase: 'refused',
      error: { code: 'place_hub_none' },
    });
    expect(await reached({ ...options, server: `${server.url}/elsewhere` }, KEY)).toMatchObject({
      phase: 'refused',
      error: { code: 'place_hub_protocol' },
    });
    server.cut();
    expect(await reached(options, KEY)).toMatchObject({
      phase: 'offline',
      error: { code: 'place_unreachable' },
    });
  });

  it('uses no key of the environment', async () => {
    vi.stubEnv('LANGSMITH_API_KEY', KEY);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { server, options } = await startPlace();
    expect(await reached(options, null)).toMatchObject({
      phase: 'refused',
      error: { code: 'place_hub_no_key' },
    });
    expect(server.requests).toEqual([]);
  });

  it('is written by the agent of one instance, read in another, and changes are undone', async () => {
    const { server, options } = await startPlace();
    const ada = await instanceWith('/hub/', options, KEY, [[write('two spaces')], ['Done.']]);
    await ada.go();
    expect(server.files('notes')).toEqual({ 'style.md': 'two spaces' });
    const ben = await instanceWith('/hub/', options, KEY, [[read], ['Done.']]);
    expect(await ben.go()).toContain('two spaces');
    expect(await ada.revert()).toMatchObject({ status: 'done', files: 1 });
    expect(server.files('notes')).toEqual({});
  });

  it('tells the agent what was not saved while nobody answers, and works again afterwards', async () => {
    const { server, options } = await startPlace();
    const script = [[write('lost')], ['Done.'], [write('kept')], ['Done.']];
    const t = await instanceWith('/hub/', options, KEY, script);
    await t.window.must('places.check', { id: (await t.place()).id });
    server.cut();
    expect(await t.go()).toMatch(/cannot be used now.*Couldn't reach/s);
    const { id, state } = await t.place();
    expect(state).toMatchObject({ phase: 'offline', error: { code: 'place_unreachable' } });
    server.restore();
    expect(await t.window.must('places.check', { id })).toMatchObject({ state: { phase: 'connected' } });
    await t.go();
    expect(server.files('notes')).toEqual({ 'style.md': 'kept' });
  });
});
