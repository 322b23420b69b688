import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pages = join(root, 'docs', 'harness');
const entries = Object.fromEntries(
  readdirSync(join(import.meta.dirname, 'entries')).map((file) => [
    `@deepdesk/harness/${file.replace(/\.ts$/, '')}`,
    join(import.meta.dirname, 'entries', file),
  ]),
);
const MODULES: Record<string, string> = {
  '@deepdesk/harness': join(import.meta.dirname, 'index.ts'),
  '@deepdesk/harness/testing': join(import.meta.dirname, 'testing', 'index.ts'),
  ...entries,
};

/** What the pages leave out of their examples: the reader's own values. */
const GIVEN: Record<string, string> = {
  agent: "import('@deepdesk/harness').DeepAgent",
  backend: "import('@deepdesk/harness').BackendProtocol",
  checkpointer: "import('@langchain/langgraph').MemorySaver",
  folder: 'string',
  home: 'string',
  temporary: 'string',
  token: 'string',
  thread: '{ configurable: { thread_id: string } }',
  runTests: "import('@langchain/core/tools').StructuredToolInterface",
};
const IMPORTED: Record<string, string> = {
  Command: "import { Command } from '@langchain/langgraph';",
  z: "import { z } from 'zod';",
};

/** The examples of the pages. One that is marked as a sketch contains prose. */
function examples(): { name: string; code: string }[] {
  return readdirSync(pages).flatMap((page) => {
    const blocks = readFileSync(join(pages, page), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm);
    return [...blocks].map(([, code = ''], index) => ({ name: `${page}-${index + 1}.ts`, code }));
  });
}

/** The example as a module: what it uses without importing or declaring it is added. */
function moduleOf(code: string, exported: ReadonlySet<string>): string {
  const has = (name: string) => new RegExp(`(?<![.\\w'])${name}\\b`).test(code);
  const declares = (name: string) => new RegExp(`(const|class|let|import) [^;=]*\\b${name}\\b`).test(code);
  const missing = (names: Iterable<string>) => [...names].filter((name) => has(name) && !declares(name));
  return [
    `import { ${missing(exported).join(', ')} } from '@deepdesk/harness';`,
    ...missing(Object.keys(IMPORTED)).map((name) => IMPORTED[name]),
    ...missing(Object.keys(GIVEN)).map((name) => `declare const ${name}: ${GIVEN[name]};`),
    code,
    'export {};',
  ].join('\n');
}

it('the examples of docs/harness compile', async () => {
  const index = readFileSync(join(import.meta.dirname, 'index.ts'), 'utf8').replace(/\/\/.*/g, '');
  const names = new Set([...index.matchAll(/\b([A-Za-z]\w+)\b(?=[,\s}])/g)].map(([, name = '']) => name));
  const exported = new Set(
    [...names].filter((name) => /^(create|[A-Z]|scrubEnv)/.test(name) && name !== 'Command'),
  );
  const files = new Map(examples().map(({ name, code }) => [join(pages, name), moduleOf(code, exported)]));
  expect(files.size).toBeGreaterThan(10);
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    types: ['node', join(root, 'node_modules/vite/client.d.ts')],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    baseUrl: root,
    paths: Object.fromEntries(Object.entries(MODULES).map(([name, file]) => [name, [file]])),
    ignoreDeprecations: '6.0',
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.readFile = (file) => files.get(file) ?? readFile(file);
  const getSource = host.getSourceFile;
  host.getSourceFile = (file, ...more) => {
    const text = files.get(file);
    return text === undefined
      ? getSource(file, ...more)
      : ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  const problems = [...files.keys()].flatMap((file) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText, start = 0 }) => {
        const line = source?.getLineAndCharacterOfPosition(start).line ?? 0;
        return `${file.slice(pages.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')} (${source?.text.split('\n')[line]})`;
      },
    );
  });
  expect(problems).toEqual([]);
}, 300_000);
