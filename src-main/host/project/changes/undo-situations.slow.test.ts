import { describe, expect, it } from 'vitest';
import { namesOf, pathsThatDiffer, SITUATIONS, started } from '../testing/undo-situations';

const MIN_SITUATIONS = 50;

it('knows 50 or more situations, each once, and restores or announces each', () => {
  expect(new Set(SITUATIONS.map(({ title }) => title)).size).toBe(SITUATIONS.length);
  expect(SITUATIONS.length).toBeGreaterThanOrEqual(MIN_SITUATIONS);
  // What a situation does, without its name.
  const acts = SITUATIONS.map(({ before, agent, later = '' }) => `${before}|${agent}|${later}`);
  expect(new Set(acts).size).toBe(SITUATIONS.length);
});

describe('undo of a command', () => {
  for (const { title, before, agent, named = [], later, undo, mayAskAgain } of SITUATIONS)
    it(`${undo === 'exact' ? 'restores' : undo === 'asks' ? 'asks about' : 'announces'} ${title}`, async () => {
      const t = await started(before);
      const original = t.tree();
      await t.command(agent, named);
      const changed = t.tree();
      if (later !== undefined) t.run(later);
      const current = t.tree();
      const { files, more } = await t.list();
      const outcome = await t.undo();
      expect(t.reports).toEqual([]);
      if (undo === 'asks') {
        expect(outcome).toMatchObject({ status: 'asks', conflicts: [{ path: 'a', reason: 'others' }] });
        expect(t.tree()).toEqual(current);
        return;
      }
      if (outcome.status !== 'done') throw new Error('It asks.');
      const rest = pathsThatDiffer(original, t.tree());
      if (undo === 'announced') {
        // Counted before and after: files that do not come back are marked in the list and named in the answer.
        const told = namesOf(outcome.conflicts);
        expect(rest.length).toBeGreaterThan(0);
        expect(rest.filter((path) => !told.has(path))).toEqual([]);
        const lost = files.filter((file) => file.lost);
        expect(lost.length === rest.length || more > 0).toBe(true);
        return;
      }
      expect(outcome.conflicts).toEqual([]);
      expect(files.filter((file) => file.lost)).toEqual([]);
      expect(rest).toEqual([]);
      expect(t.tree()).toEqual(original);
      if (outcome.revertId === null) throw new Error('Nothing was undone.');
      // Undo of the undo.
      if (named.length === 0) {
        const { revertId } = outcome;
        const first = await t.undo(false, revertId);
        if (mayAskAgain !== true) expect(first.status).toBe('done');
        const again = first.status === 'asks' ? await t.undo(true, revertId) : first;
        // A new file over 5 MB cannot come back.
        const told = namesOf(again.conflicts);
        expect(pathsThatDiffer(changed, t.tree()).filter((path) => !told.has(path))).toEqual([]);
      }
    });

  it('moves a file over 5 MB back, and forth again', async () => {
    const t = await started('truncate -s 6M a');
    const original = t.tree();
    await t.command('mkdir d; mv a d/b; chmod 600 d/b', []);
    const moved = t.tree();
    const first = await t.undo();
    expect(first).toMatchObject({ status: 'done', files: 1, conflicts: [] });
    expect(t.tree()).toEqual(original);
    const again = await t.undo(false, (first.status === 'done' && first.revertId) || '');
    expect(again).toMatchObject({ status: 'done', conflicts: [] });
    expect(t.tree()).toEqual(moved);
    expect(await t.undo()).toMatchObject({ status: 'done', conflicts: [] });
    expect(t.tree()).toEqual(original);
  });

  it('leaves the only copy of a moved file whose earlier content was dropped', async () => {
    const t = await started('echo a > a');
    await t.command('mv a b', []);
    t.drop();
    const moved = t.tree();
    const { files } = await t.list();
    expect(files.map((file) => [file.path, file.lost])).toEqual([
      ['a', true],
      ['b', true],
    ]);
    const outcome = await t.undo();
    expect([...namesOf(outcome.conflicts)].sort()).toEqual(['a', 'b']);
    expect(t.tree()).toEqual(moved);
  });

  it.each([
    ['changed since', 'mv a b', 'echo x >> b'],
    ['cannot be told from another one', 'mv a b; cp -p b c', 'true'],
    [
      'has another content with the same time',
      'touch -r a r; echo x | dd of=a conv=notrunc; touch -r r a',
      'rm r',
    ],
  ])('announces a file over 5 MB that %s, and leaves it', async (_what, agent, later) => {
    const t = await started('truncate -s 6M a');
    await t.command(agent, []);
    t.run(later);
    const current = t.tree();
    const outcome = await t.undo(true);
    expect([...namesOf(outcome.conflicts)]).toContain('a');
    expect([...t.tree()].filter(([path]) => path !== 'r')).toEqual([...current]);
  });

  it('leaves a file that came from where nothing is kept, and says so', async () => {
    // Old enough to be told from what the command creates.
    const t = await started('echo out > .gitignore; mkdir out; echo a > out/a; echo b > b; sleep 0.1');
    await t.command('mv out/a a; ln b c; mv b d; echo e > e', []);
    const { files } = await t.list();
    expect(files.map(({ path, change, lost }) => `${path} ${change} ${lost}`)).toEqual([
      'a added true',
      'b removed false',
      'c added false',
      'd added false',
      'e added false',
    ]);
    expect(await t.undo()).toMatchObject({ status: 'done', conflicts: [{ path: 'a', reason: 'lost' }] });
    expect([...t.tree().keys()]).toEqual(['.gitignore', 'a', 'b', 'out']);
  });
});
