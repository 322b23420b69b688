import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from '../scripts/build/app.mjs';
import { root, run } from '../scripts/process.mjs';
import { median } from './row';

/** The built file that holds `createDeepAgent`, which the app imports for its first turn. */
function builtHarness(): string {
  const chunks = join(root, 'out', 'main', 'chunks');
  const name = readdirSync(chunks).find((file) => /^create-deep-agent-.*\.js$/.test(file));
  if (name === undefined) throw new Error(`no create-deep-agent chunk in ${chunks}`);
  return pathToFileURL(join(chunks, name)).href;
}

/** Times a script in a process of its own: `inside` is what it prints (milliseconds), `whole` from spawn to exit. */
async function timeNode(script: string): Promise<{ inside: number; whole: number }> {
  const from = performance.now();
  const { code, stdout, output } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  const whole = performance.now() - from;
  if (code !== 0) throw new Error(`the import failed: ${output}`);
  return { inside: Number(stdout), whole };
}

const timedImport = (what: string) =>
  `const from = performance.now(); await import(${JSON.stringify(what)}); console.log(performance.now() - from);`;

/** Milliseconds for the bundled harness, LangChain's package as installed, and Node with nothing: medians of 9 processes each. */
export async function importCost() {
  if (!(await ensureBuilt())) throw new Error('the app could not be built');
  const scripts = {
    ours: timedImport(builtHarness()),
    langchain: timedImport('langchain'),
    bare: 'console.log(0)',
  };
  const times = { ours: [], langchain: [], bare: [] } as Record<
    keyof typeof scripts,
    { inside: number; whole: number }[]
  >;
  for (let round = 0; round < 9; round += 1) {
    for (const name of ['ours', 'langchain', 'bare'] as const)
      times[name].push(await timeNode(scripts[name]));
  }
  const of = (name: keyof typeof scripts) => ({
    inside: median(times[name].map((time) => time.inside)),
    whole: median(times[name].map((time) => time.whole)),
  });
  return { ours: of('ours'), langchain: of('langchain'), bare: of('bare') };
}
