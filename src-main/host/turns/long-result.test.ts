import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ToolMessage } from '@langchain/core/messages';
import { expect, it } from 'vitest';
import { SlowModel } from '../testing/slow-model';
import { isIdle, setUp } from '../testing/window';

const LINES = 100_000;
/** Characters of one result that the model gets at most, and of the note on where the rest is. */
const LIMIT = 80_000;
const NOTE = 200;

const text = `${Array.from({ length: LINES }, (_, line) => `line ${line} of many`).join('\n')}\n`;

it('gives the model a part of 100,000 lines from each tool, and a file with all of a command', async () => {
  const t = await setUp();
  writeFileSync(join(t.folder, 'many.txt'), text);
  const model = SlowModel.into(t.host, [
    [
      { name: 'execute', args: { command: 'cat many.txt' } },
      { name: 'grep', args: { pattern: 'of many', path: t.folder, output_mode: 'content' } },
      { name: 'read_file', args: { file_path: `${t.folder}/many.txt`, limit: 10_000 } },
      { name: 'read_file', args: { file_path: `${t.folder}/many.txt`, offset: LINES - 1 } },
    ],
  ]);
  await t.say('go');
  await t.window.until(isIdle);
  const results = model.requests.at(-1)?.filter((message) => ToolMessage.isInstance(message)) ?? [];
  const [printed = '', found = '', start = '', end = ''] = results.map((message) => message.text);
  for (const result of [printed, found, start]) {
    expect(result).toContain('line 0 of many');
    expect(result.length).toBeLessThanOrEqual(LIMIT + NOTE);
  }
  // The start and the end of what the command printed, and where the rest is.
  expect(printed).toContain(`line ${LINES - 1} of many`);
  const whole = /the whole output is in (\/command_output\/\S+\.log)/.exec(printed)?.[1];
  const file = readdirSync(t.dataDir, { recursive: true }).find((path) =>
    String(path).endsWith(basename(whole ?? 'nowhere')),
  );
  expect(readFileSync(join(t.dataDir, String(file)), 'utf8').trimEnd()).toBe(text.trimEnd());
  expect(end).toContain(`line ${LINES - 1} of many`);
  expect(t.reports).toEqual([]);
});
