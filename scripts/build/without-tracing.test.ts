import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as real from 'langsmith/run_trees';
import { describe, expect, it } from 'vitest';
import { root } from '../process.mjs';
import * as replaced from './no-langsmith.mjs';
import { withoutTracing } from './without-tracing.mjs';

const core = join(root, 'node_modules', '@langchain', 'core', 'dist');

/** The names that the modules of @langchain/core import from LangSmith's client, and from where. */
const imported = readdirSync(core, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.js'))
  .flatMap((name) => [
    ...readFileSync(join(core, name), 'utf8').matchAll(/^import \{ (.+) \} from "(langsmith[^"]*)"/gm),
  ])
  .map(([, names = '', source = '']) => ({ names: names.split(', '), source }));

function resolved(source: string, importer: string): unknown {
  const { resolveId } = withoutTracing();
  if (typeof resolveId !== 'function') throw new Error('the plugin resolves nothing');
  return Reflect.apply(resolveId, undefined, [source, importer, {}]);
}

describe('the replacement of the client of LangSmith', () => {
  it('has everything that LangChain imports from the client', () => {
    expect(imported.length).toBeGreaterThan(4);
    const clients = imported.filter(({ source }) => source !== 'langsmith/singletons/traceable');
    const missing = clients.flatMap(({ names }) => names.filter((name) => !(name in replaced)));
    expect(missing).toEqual([]);
    for (const { source } of clients) expect(resolved(source, join(core, 'x.js'))).toContain('no-langsmith');
  });

  it('is only for LangChain', () => {
    expect(
      resolved('langsmith', join(root, 'src-main', 'harness', 'backends', 'context-hub', 'context-hub.ts')),
    ).toBeNull();
    expect(resolved('langsmith/singletons/traceable', join(core, 'x.js'))).toBeNull();
  });

  it('keeps what LangChain keeps in a run, and orders runs in the same way', () => {
    const settings = { name: 'step', tracingEnabled: false, extra: { a: 1 } };
    expect(new replaced.RunTree(settings)).toMatchObject(settings);
    expect(new real.RunTree(settings)).toMatchObject(settings);
    expect(replaced.isRunTree(new replaced.RunTree(settings))).toBe(true);
    expect(replaced.isRunTree({})).toBe(false);
    const at = Date.UTC(2026, 10, 28, 3, 4, 5, 6);
    for (const order of [1, 12, 1_234])
      expect(replaced.convertToDottedOrderFormat(at, 'id', order)).toEqual(
        real.convertToDottedOrderFormat(at, 'id', order),
      );
  });
});
