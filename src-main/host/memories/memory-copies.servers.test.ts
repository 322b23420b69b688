import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Output } from '../../contract/commands';
import type { CopiedMemories, MemoryEnd } from '../../contract/commands/memories';
import { PlaceId } from '../../contract/ids';
import { hasPostgres, type PostgresServer, startPostgres } from '../../storage/testing/postgres';
import { lineTo } from '../../storage/testing/postgres-line';
import { instanceWith, openPlaceOf } from '../places/testing/instance';

const noPostgres = hasPostgres ? '' : ' (skipped: no Postgres is there for this system.)';

let server: PostgresServer;
beforeAll(async () => {
  if (hasPostgres) server = await startPostgres();
}, 60_000);
afterAll(() => server?.stop());

/** An app with the place of a team, and what a person does with memories there. */
async function team() {
  const at = await server.database();
  const line = await lineTo(at);
  onTestFinished(() => line.close());
  const address = `postgresql://${at.user}@127.0.0.1:${line.port}/${at.database}`;
  const t = await instanceWith('/team/', { kind: 'team', address }, null, []);
  const { projectId, window } = t;
  const project: MemoryEnd = { kind: 'project', projectId };
  const there = { kind: 'team' as const, placeId: PlaceId.parse((await t.place()).id) };
  const { files } = openPlaceOf({ kind: 'team', address }, null);
  return {
    line,
    window,
    project,
    there,
    files,
    remember: (name: string, text: string) =>
      window.must('memories.write', {
        path: `/memories/${name}`,
        text,
        expectedUpdatedAt: null,
        projectId,
      }),
    local: async () => {
      const filter = { scope: 'project' as const };
      const found: Output<'memories.find'> = await window.must('memories.find', {
        filter,
        projectId,
        offset: 0,
        limit: 500,
      });
      return found.memories.map(({ path }) => path.slice('/memories/'.length)).toSorted();
    },
    inTeam: async () =>
      ((await files.glob('**/*.md', '/')).files ?? []).map(({ path }) => path.slice(1)).toSorted(),
    textOf: async (name: string) => (await files.read(`/${name}`)).content,
  };
}

const COUNT = 300;

describe.skipIf(!hasPostgres)(`memories of a project and of a team on Postgres${noPostgres}`, () => {
  it('are compared, copied, moved and brought back, and a different text is overwritten nowhere', async () => {
    const t = await team();
    await t.remember('style.md', 'two spaces');
    await t.remember('people/ada.md', 'Ada likes tests.');
    await t.remember('same.md', 'the same');
    await t.files.write('/same.md', 'the same');
    await t.files.write('/style.md', 'four spaces');
    const ends = { from: t.project, to: t.there };
    const preview = { fresh: 1, same: 1, different: 1, names: ['style.md'] };
    expect(await t.window.must('memories.previewCopy', ends)).toEqual(preview);
    const left = [{ name: 'style.md', why: 'different' }];
    expect(await t.window.must('memories.copy', { ...ends, removes: false })).toEqual({
      copied: 1,
      same: 1,
      left,
      error: null,
    });
    expect(await t.local()).toEqual(['people/ada.md', 'same.md', 'style.md']);
    expect(await t.window.must('memories.copy', { ...ends, removes: true })).toEqual({
      copied: 0,
      same: 2,
      left,
      error: null,
    });
    expect(await t.local()).toEqual(['style.md']);
    expect(await t.textOf('style.md')).toContain('four spaces');
    expect(await t.textOf('people/ada.md')).toContain('Ada likes tests.');
    const back = { from: t.there, to: t.project, removes: true };
    expect(await t.window.must('memories.copy', back)).toMatchObject({ copied: 2, left });
    expect(await t.local()).toEqual(['people/ada.md', 'same.md', 'style.md']);
    expect(await t.inTeam()).toEqual(['style.md']);
  });

  it('are each in at least one of the two when the connection is cut in the middle, and the move continues afterwards', async () => {
    const t = await team();
    const names = Array.from({ length: COUNT }, (_, index) => `note-${index}.md`).toSorted();
    for (const name of names) await t.remember(name, `Note in ${name}`);
    const order = { from: t.project, to: t.there, removes: true };
    // The line is cut as soon as something was copied.
    const cut = (async () => {
      while ((await t.inTeam()).length === 0);
      t.line.cut();
    })();
    const moved: CopiedMemories = await t.window.must('memories.copy', order);
    await cut;
    expect(moved.error).toMatchObject({ code: 'place_unreachable' });
    expect(moved.copied).toBeLessThan(COUNT);
    t.line.restore();
    const between = new Set([...(await t.local()), ...(await t.inTeam())]);
    expect([...between].toSorted()).toEqual(names);
    await t.window.must('places.check', { id: t.there.placeId });
    expect(await t.window.must('memories.copy', order)).toMatchObject({ left: [], error: null });
    expect(await t.inTeam()).toEqual(names);
    expect(await t.local()).toEqual([]);
  }, 60_000);

  it('are never copied or moved between two teams or two places of this computer, which may be the same memories', async () => {
    const t = await team();
    await t.remember('style.md', 'two spaces');
    await t.files.write('/style.md', 'two spaces');
    const everywhere: MemoryEnd = { kind: 'everywhere' };
    for (const [from, to] of [
      [t.project, everywhere],
      [t.project, t.project],
      [t.there, t.there],
    ] as const) {
      const refused = await t.window.client.call('memories.copy', { from, to, removes: true });
      expect(refused).toMatchObject({ ok: false, error: { code: 'memories_need_a_team' } });
    }
    expect([await t.local(), await t.inTeam()]).toEqual([['style.md'], ['style.md']]);
  });

  it('stop when the person stops', async () => {
    const t = await team();
    for (let index = 0; index < COUNT; index += 1) await t.remember(`note-${index}.md`, 'text');
    await t.window.must('app.open', {});
    const controller = new AbortController();
    const order = { from: t.project, to: t.there, removes: false };
    const stop = t.window.client.onEvent(({ type }) => type === 'memories.copying' && controller.abort());
    const copied = await t.window.client.call('memories.copy', order, controller.signal);
    stop();
    expect(copied).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    const there = (await t.inTeam()).length;
    expect(there).toBeGreaterThan(0);
    expect(there).toBeLessThan(COUNT);
  }, 60_000);
});
