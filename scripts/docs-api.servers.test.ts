import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import * as harness from '../src-main/harness/index';
import { root, run } from './process.mjs';

it('writes a page for every export of the harness, with its comment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-api-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { code, output } = await run(process.execPath, [join(root, 'scripts/docs-api.mjs'), folder]);
  expect(output).not.toMatch(/error/i);
  expect(code).toBe(0);
  const pages = readdirSync(folder, { recursive: true }).map(String);
  const textOf = (end: string) =>
    readFileSync(join(folder, pages.find((name) => name.endsWith(end)) ?? ''), 'utf8').replaceAll(
      '<wbr/>',
      '',
    );
  const index = textOf(join('modules', 'index.html'));
  expect(Object.keys(harness).filter((name) => !index.includes(`>${name}<`))).toEqual([]);
  expect(textOf('createDeepAgent.html')).toContain('with the options of the published package');
  // The compiler reads the types of LangChain, too.
}, 300_000);
