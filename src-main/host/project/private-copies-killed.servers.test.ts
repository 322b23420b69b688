import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { ProjectId, ThreadId } from '../../contract/ids';
import { bundleHost } from '../testing/bundle-host';
import { ChildHost, type StartedHost } from '../testing/child-host';
import { temp } from '../testing/window';

/** Inside node_modules, so that the bundle finds the native packages. */
const bundle = join(import.meta.dirname, `../../../node_modules/.cache/deepdesk-copies-${process.pid}`);

beforeAll(() => bundleHost(bundle), 120_000);
afterAll(() => rmSync(bundle, { recursive: true, force: true }));

const ROUNDS = 12;
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

describe('a bring-in that is killed', () => {
  it(`has changed everything or nothing after the next start, at ${ROUNDS} random moments`, async () => {
    const place = { dataDir: temp('data'), folder: temp('folder') };
    const start = () => ChildHost.start({ ...place, bundle, baseUrl: 'http://127.0.0.1:9' });
    replaceBy(place.folder, BEFORE);
    let host = await start();
    const first = await changedCopy(host);
    const since = performance.now();
    await must(host.client.call('copies.bringIn', first));
    const takes = performance.now() - since;
    expect(stateOf(place.folder)).toBe('after');
    for (let round = 0; round < ROUNDS; round += 1) {
      replaceBy(place.folder, BEFORE);
      const copy = await changedCopy(host);
      const part = Math.random();
      const over = host.client.call('copies.bringIn', copy).catch(() => undefined);
      setTimeout(() => host.kill(), part * takes);
      await host.ended;
      await over;
      host = await start();
      expect(stateOf(place.folder), `round ${round}, at ${part}`).toMatch(/^(before|after)$/);
      await must(host.client.call('copies.bringIn', copy));
      expect(stateOf(place.folder), `again in round ${round}, at ${part}`).toBe('after');
      expect(host.reports).toEqual([]);
    }
    await host.close();
  }, 300_000);
});
