import { describe, expect, it } from 'vitest';
import { keep } from '../../../harness/sandbox/rehearsal';
import { folderIn } from '../../../harness/sandbox/rehearsal/testing/options';
import { makeBase, note, rehearsed, whyNoRehearsal } from '../../../harness/sandbox/rehearsal/testing/place';
import { removeTestFolder } from '../../../harness/sandbox/testing/bubblewrap';
import { cleanups } from '../../testing/window';
import { UNDONE } from '../rehearsals/rehearsals';
import { namesOf, pathsThatDiffer, SITUATIONS, started } from '../testing/undo-situations';

/** Too large to be kept for undo; the card says so. */
const TOO_LARGE = 'a file over 5 MB [30]';

describe.skipIf(whyNoRehearsal !== null)(`undo of what a command did in a layer${note}`, () => {
  for (const { title, before, agent, later, undo } of SITUATIONS) {
    const isExact = undo !== 'asks' && title !== TOO_LARGE;
    it(`${isExact ? 'restores' : undo === 'asks' ? 'asks about' : 'announces'} ${title}`, async () => {
      const base = makeBase();
      cleanups.push(() => removeTestFolder(base));
      const t = await started(before, folderIn(base));
      const original = t.tree();
      const { manifest, exitCode } = await rehearsed(base, agent);
      expect([exitCode, t.tree()]).toEqual([0, original]);
      const named = manifest.changes.map(({ path }) => path);
      await t.call(agent, { named, isCommand: false, limits: UNDONE }, async () => {
        expect((await keep(manifest)).conflicts).toEqual([]);
      });
      if (later !== undefined) t.run(later);
      const current = t.tree();
      const outcome = await t.undo();
      expect(t.reports).toEqual([]);
      if (undo === 'asks') {
        expect(outcome).toMatchObject({ status: 'asks', conflicts: [{ path: 'a', reason: 'others' }] });
        expect(t.tree()).toEqual(current);
        return;
      }
      if (outcome.status !== 'done') throw new Error('It asks.');
      const rest = pathsThatDiffer(original, t.tree());
      expect([...namesOf(outcome.conflicts)]).toEqual(isExact ? [] : ['a']);
      expect(rest).toEqual(isExact ? [] : ['a']);
    });
  }

  it('restores the folder after more new entries of a repository than a named folder keeps, and brings them back', async () => {
    const base = makeBase();
    cleanups.push(() => removeTestFolder(base));
    const t = await started('echo a > a', folderIn(base));
    const original = t.tree();
    const agent = 'git init -q n; cd n; for i in $(seq 40); do echo $i > .git/objects/$i; done';
    const { manifest } = await rehearsed(base, agent);
    const named = manifest.changes.map(({ path }) => path);
    await t.call(agent, { named, isCommand: false, limits: UNDONE }, () => keep(manifest));
    const kept = t.tree();
    const outcome = await t.undo();
    expect(outcome).toMatchObject({ status: 'done', conflicts: [] });
    expect(pathsThatDiffer(original, t.tree())).toEqual([]);
    const again = outcome.status === 'done' && outcome.revertId !== null ? outcome.revertId : undefined;
    expect(await t.undo(false, again)).toMatchObject({ status: 'done', conflicts: [] });
    expect(pathsThatDiffer(kept, t.tree())).toEqual([]);
  });
});
