import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { because } from '../../contract/shared/reasons';
import { ScriptedModel, type ScriptedStep } from '../../harness/agent/testing/scripted-model';
import { isIdle, setUp } from '../testing/window';

it('tells why an edit did not start as a code, which the window words, and the model what to do', async () => {
  const t = await setUp();
  const path = join(t.folder, 'notes.txt');
  writeFileSync(path, 'one\n');
  const edit = { name: 'edit_file', args: { file_path: path, old_string: 'one', new_string: 'two' } };
  const steps: (() => ScriptedStep)[] = [
    () => ({ calls: [edit] }),
    () => ({ calls: [{ name: 'read_file', args: { file_path: path } }] }),
    () => {
      writeFileSync(path, 'one by the person\n');
      return { calls: [edit] };
    },
  ];
  const model = new ScriptedModel((_messages, request) => steps[request]?.() ?? { text: 'Done.' });
  const forRun = t.host.models.forRun.bind(t.host.models);
  t.host.models.forRun = async (...asked) => {
    const run = await forRun(...asked);
    if (run.ok) run.value.first.chat = model;
    return run;
  };
  await t.say('go');
  await t.window.until(isIdle);
  const [unread, , stale] = t.window.calls;
  expect([unread?.refused, stale?.refused]).toEqual([
    [because('not_read_yet')],
    [because('changed_since_read')],
  ]);
  expect(unread?.result).toContain('Read it first');
  expect(stale?.result).toMatch(/^Error: /);
});
