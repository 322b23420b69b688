import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from '../../scripts/process.mjs';
import type { Contest, Part, Side } from '../contest';

/**
 * Imports in a separate process. `inside`: milliseconds of the import alone; otherwise from the start of the process to its
 * exit.
 */
const timed =
  (what: string | null, inside: boolean): Side =>
  () => {
    const script =
      what === null
        ? 'console.log(0)'
        : `const from = performance.now(); await import(${JSON.stringify(what)}); console.log(performance.now() - from); process.exit(0);`;
    return {
      run: async () => {
        const from = performance.now();
        const { code, stdout, output } = await run(process.execPath, [
          '--input-type=module',
          '--eval',
          script,
        ]);
        const whole = performance.now() - from;
        if (code !== 0) throw new Error(`the import failed: ${output}`);
        return { value: inside ? Number(stdout) : whole };
      },
    };
  };

/** Bundled beside this program like in the app. */
const bundled = () => pathToFileURL(join(dirname(process.argv[1] ?? ''), 'harness.js')).href;

const imported = (inside: boolean): Omit<Contest, 'row' | 'target' | 'limits'> => ({
  unit: 'ms',
  runs: 9,
  ours: timed(bundled(), inside),
  peer: timed('deepagents', inside),
});

export const imports: Part = [
  {
    row: 'import of the bundled harness, cold',
    ...imported(true),
    target: { atMost: 120 },
    limits: { langchain: timed('langchain', true) },
  },
  {
    row: '  a process that does only that',
    ...imported(false),
    target: {},
    limits: { 'bare Node': timed(null, false), langchain: timed('langchain', false) },
  },
];
