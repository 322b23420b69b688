import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inEnglish } from '../../../../src-renderer/i18n/errors';
import type { ProjectId, ThreadId } from '../../../contract/ids';
import { bundleHost } from '../../testing/bundle-host';
import { ChildHost, type StartedHost } from '../../testing/child-host';
import { temp } from '../../testing/window';

/** Inside node_modules, so that the bundle finds the native packages. */
const bundle = join(import.meta.dirname, `../../../../node_modules/.cache/deepdesk-copies-${process.pid}`);

beforeAll(() => bundleHost(bundle), 120_000);
afterAll(() => rmSync(bundle, { recursive: true, force: true }));

const ROUNDS = 20;
const FILES = Array.from({ length: 80 }, (_, at) => `part-${at % 7}/file-${at}.txt`);
/** Content by path; a path that is absent has none. */
type Content = Record<string, string>;
const BEFORE: Content = Object.fromEntries(FILES.map((path) => [path, `before ${path}\n`]));
/** Files are changed, added and deleted, and so is a folder. */
const AFTER: Content = {
  ...Object.fromEntries(
    FILES.filter((path) => !path.startsWith('part-6/')).map((path) => [
      path,
      `${'after '.repeat(2_000)}${path}\n`,
    ]),
  ),
  'new/deep/one.txt': 'new\n',
};

const CHANGED = Object.keys({ ...BEFORE, ...AFTER }).filter((path) => BEFORE[path] !== AFTER[path]);

function replaceBy(root: string, content: Content): void {
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
  for (const [path, text] of Object.entries(content)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function contentOf(root: string): Content {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(root.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}

const stateOf = (root: string): 'before' | 'after' | 'torn' => {
  const is = (content: Content) =>
    JSON.stringify(sorted(contentOf(root))) === JSON.stringify(sorted(content));
  return is(BEFORE) ? 'before' : is(AFTER) ? 'after' : 'torn';
};
const sorted = (content: Content) => Object.entries(content).toSorted(([a], [b]) => (a < b ? -1 : 1));

async function must<T>(
  asked: Promise<{ ok: true; value: T } | { ok: false; error: Parameters<typeof inEnglish>[0] }>,
): Promise<T> {
  const answer = await asked;
  if (!answer.ok) throw new Error(inEnglish(answer.error));
  return answer.value;
}

interface Copy {
  projectId: ProjectId;
  threadId: ThreadId;
}

/** Makes a copy of the folder with all the changes in it. */
async function changedCopy({ client, project }: StartedHost): Promise<Copy> {
  const made = await must(client.call('copies.make', { projectId: project.projectId, ignored: true }));
  const projectId = made.project.id;
  const thread = await must(client.call('thread.create', { projectId, model: 'offline:guide' }));
  replaceBy(made.project.folder, AFTER);
  return { projectId, threadId: thread.id };
}

/** Kills a start that many milliseconds after its process began. */
async function startKilled(start: (begun: (child: ChildHost) => void) => Promise<unknown>, ms: number) {
  await start((child) => void setTimeout(() => child.kill(), ms)).then(
    // It was up before that.
    (host) => (host as ChildHost).ended,
    () => undefined,
  );
}

describe('a bring-in that is killed', () => {
  it(`has changed everything or nothing after the next start, at ${ROUNDS} random moments`, async () => {
    const place = { dataDir: temp('data'), folder: temp('folder') };
    const start = (begun?: (child: ChildHost) => void) =>
      ChildHost.start({ ...place, bundle, baseUrl: 'http://127.0.0.1:9' }, begun);
    replaceBy(place.folder, BEFORE);
    let host = await start();
    const first = await changedCopy(host);
    const since = performance.now();
    await must(host.client.call('copies.bringIn', first));
    const takes = performance.now() - since;
    expect(stateOf(place.folder)).toBe('after');
    let starts = 1_000;
    for (let round = 0; round < ROUNDS; round += 1) {
      replaceBy(place.folder, BEFORE);
      const copy = await changedCopy(host);
      const part = Math.random();
      const over = host.client.call('copies.bringIn', copy).catch(() => undefined);
      setTimeout(() => host.kill(), part * takes);
      await host.ended;
      await over;
      // The next starts are killed too, while they finish it.
      for (let killed = 0; killed < round % 3; killed += 1) await startKilled(start, Math.random() * starts);
      const started = performance.now();
      host = await start();
      starts = performance.now() - started;
      expect(stateOf(place.folder), `round ${round}, at ${part}`).toMatch(/^(before|after)$/);
      await must(host.client.call('copies.bringIn', copy));
      expect(stateOf(place.folder), `again in round ${round}, at ${part}`).toBe('after');
      expect(host.reports).toEqual([]);
    }
    await host.close();
  }, 300_000);
});

describe('a private copy that is killed', () => {
  it(`is complete or gone after the next start, at ${ROUNDS} random moments of making it`, async () => {
    const place = { dataDir: temp('data'), folder: temp('folder') };
    const start = () => ChildHost.start({ ...place, bundle, baseUrl: 'http://127.0.0.1:9' });
    const store = join(place.dataDir, 'private-copies');
    replaceBy(place.folder, AFTER);
    let host = await start();
    const since = performance.now();
    await changedCopy(host);
    const takes = performance.now() - since;
    for (let round = 0; round < ROUNDS; round += 1) {
      const known = new Set(readdirSync(store));
      const part = Math.random();
      const { projectId } = host.project;
      const making = host.client.call('copies.make', { projectId, ignored: true }).catch(() => undefined);
      setTimeout(() => host.kill(), part * takes);
      await host.ended;
      await making;
      host = await start();
      await host.close();
      // A complete one has no thread yet, so nobody misses it.
      expect(
        readdirSync(store).filter((id) => !known.has(id)),
        `round ${round}, at ${part}`,
      ).toEqual([]);
      host = await start();
      expect(host.reports).toEqual([]);
    }
    await host.close();
    expect(stateOf(place.folder)).toBe('after');
  }, 300_000);

  it(`is whole or gone after the next start, at ${ROUNDS} random moments of throwing it away`, async () => {
    const place = { dataDir: temp('data'), folder: temp('folder') };
    const start = () => ChildHost.start({ ...place, bundle, baseUrl: 'http://127.0.0.1:9' });
    const store = join(place.dataDir, 'private-copies');
    replaceBy(place.folder, BEFORE);
    let host = await start();
    const first = await changedCopy(host);
    const since = performance.now();
    await must(host.client.call('copies.throwAway', { projectId: first.projectId, force: true }));
    const takes = performance.now() - since;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { projectId } = await changedCopy(host);
      // The first is killed before it begins.
      const part = round === 0 ? 0 : Math.random();
      const over = host.client.call('copies.throwAway', { projectId, force: true }).catch(() => undefined);
      if (part === 0) host.kill();
      else setTimeout(() => host.kill(), part * takes);
      await host.ended;
      await over;
      host = await start();
      await host.close();
      host = await start();
      const changes = await host.client.call('copies.changes', { projectId });
      const what = `round ${round}, at ${part}`;
      if (readdirSync(store).includes(projectId))
        expect(changes.ok && changes.value.files.map(({ path }) => path).toSorted(), what).toEqual(
          CHANGED.toSorted(),
        );
      else expect(changes, what).toMatchObject({ ok: false });
      await must(host.client.call('copies.throwAway', { projectId, force: true }));
      expect(readdirSync(store), what).toEqual([]);
      expect(host.reports).toEqual([]);
    }
    await host.close();
    expect(stateOf(place.folder)).toBe('before');
  }, 300_000);
});
