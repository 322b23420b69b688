import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startAnthropic } from '../../e2e/providers/anthropic';
import { root, run } from '../process.mjs';
import { buildHarness } from './harness.mjs';

const { devDependencies, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** What a developer installs besides the library, in the versions of this repository. */
const INSTALLED = [
  '@agentclientprotocol/sdk',
  '@langchain/anthropic',
  '@langchain/core',
  '@langchain/langgraph',
  '@langchain/langgraph-checkpoint',
  '@langchain/langgraph-checkpoint-postgres',
  '@langchain/langgraph-sdk',
  '@types/better-sqlite3',
  '@types/node',
  '@types/pg',
  'better-sqlite3',
  'langchain',
  'pg',
  'typescript',
  'vitest',
];
/** The example that waits for an editor. */
const EDITOR = 'editor.ts';
const NODE_22 = 'node@22.23.3';
/** Milliseconds for fetching about 200 packages, and for programs that load them on a busy machine. */
const INSTALL_WITHIN = 600_000;

interface Example {
  file: string;
  code: string;
  /** The expected output: the block after the example in the README. */
  prints: string;
}

function examples(): Example[] {
  const text = readFileSync(join(root, 'src-main', 'harness', 'README.md'), 'utf8');
  const blocks = text.matchAll(/^```ts file=(\S+)\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```)?/gm);
  return [...blocks].map(([, file = '', code = '', prints = '']) => ({ file, code, prints }));
}

let project: string;
let installed: string;

async function command(file: string, args: string[], env: NodeJS.ProcessEnv = process.env, cwd = project) {
  const ran = await run(file, args, { cwd, env });
  if (ran.code !== 0) throw new Error(`${file} ${args.join(' ')}\n${ran.output}`);
  return ran;
}

const npmInstall = (packages: string[], cwd = project) =>
  command(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts=false', '--prefer-offline', ...packages],
    process.env,
    cwd,
  );

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'harness-project-'));
  const built = join(project, 'built');
  await buildHarness(built);
  const packed = await command('npm', ['pack', built, '--pack-destination', project, '--silent']);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await npmInstall([
    `./${packed.stdout.trim()}`,
    ...INSTALLED.map((name) => `${name}@${devDependencies[name] ?? dependencies[name]}`),
  ]);
  rmSync(built, { recursive: true });
  installed = join(project, 'node_modules', '@deepdesk', 'harness');
  // Node 20 cannot load the prebuilt binary.
  const binding = process.env.DEEPDESK_SQLITE_BINDING;
  const { napi } = process.versions;
  if (binding !== undefined && Number(napi) < 10) {
    const prebuilds = join(project, 'node_modules', 'better-sqlite3', 'prebuilds');
    copyFileSync(binding, join(prebuilds, `${process.platform}-${process.arch}.node`));
  }
  for (const { file, code } of examples()) writeFileSync(join(project, file), code);
}, INSTALL_WITHIN);

afterAll(() => rmSync(project, { recursive: true, force: true }), INSTALL_WITHIN);

/** Writes an example as a script into a folder with empty notes, with a model that writes one file there and says so. */
async function scriptOf({ file, code }: Example) {
  const server = await startAnthropic(({ lastToolResults }) =>
    lastToolResults.length === 0
      ? { calls: [{ name: 'write_file', args: { file_path: '/index.md', content: '# Index' } }] }
      : { text: 'The index is in index.md.' },
  );
  onTestFinished(() => server.close());
  const folder = mkdtempSync(join(project, 'run-'));
  mkdirSync(join(folder, 'notes'));
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const script = join(folder, file.replace(/\.ts$/, '.mjs'));
  writeFileSync(script, outputText);
  const env = { ...process.env, ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url };
  return { folder, script, env };
}

async function runExample(node: string, example: Example): Promise<string> {
  const { folder, script, env } = await scriptOf(example);
  const { output } = await command(node, [script], env, folder);
  expect(readdirSync(join(folder, 'notes'))).toEqual(['index.md']);
  return output;
}

/** All files that an entry loads on import. */
function loadedWith(entry: string): { packages: string[] } {
  const files = new Set([join(installed, 'dist', `${entry}.js`)]);
  const packages = new Set<string>();
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022);
    for (const statement of source.statements) {
      if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
      const specifier = statement.moduleSpecifier;
      if (specifier === undefined || !ts.isStringLiteral(specifier)) continue;
      if (specifier.text.startsWith('.')) files.add(join(file, '..', specifier.text));
      else if (!specifier.text.startsWith('node:'))
        packages.add(/^(@[^/]+\/)?[^/]+/.exec(specifier.text)?.[0] ?? '');
    }
  }
  return { packages: [...packages].sort() };
}

describe('the packed harness', { timeout: INSTALL_WITHIN }, () => {
  const programs = examples().filter(({ file }) => !file.endsWith('.test.ts') && file !== EDITOR);

  it.each(programs)('runs $file under this Node', async (example) => {
    expect(await runExample(process.execPath, example)).toBe(example.prints);
  });

  it('can be installed beside the better-sqlite3 that Node 20 can load', async () => {
    const tried = await run('npm', ['install', '--dry-run', '--prefer-offline', 'better-sqlite3@12.11.1'], {
      cwd: project,
    });
    expect(tried.output).not.toContain('ERESOLVE');
    expect(tried.code).toBe(0);
  });

  it(
    'runs every example under Node 22',
    async () => {
      const folder = join(project, 'node-22');
      mkdirSync(folder);
      writeFileSync(join(folder, 'package.json'), '{}');
      await npmInstall([NODE_22], folder);
      const node = join(folder, 'node_modules', 'node', 'bin', 'node');
      expect((await command(node, ['--version'])).stdout).toMatch(/^v22\./);
      for (const example of programs)
        expect(await runExample(node, example), example.file).toBe(example.prints);
    },
    INSTALL_WITHIN,
  );

  it('runs the example hosted by an editor: a permission request, and the file', async () => {
    const example = examples().find(({ file }) => file === EDITOR);
    if (example === undefined) throw new Error('There is no such example.');
    const { folder, script, env } = await scriptOf(example);
    const child = spawn(process.execPath, [script], { env, cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    const stream = ndJsonStream(
      Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    );
    const asked: (string | null | undefined)[] = [];
    let said = '';
    await client()
      .onNotification(methods.client.session.update, ({ params: { update } }) => {
        if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
          said += update.content.text;
      })
      .onRequest(methods.client.session.requestPermission, ({ params }) => {
        asked.push(params.toolCall.title);
        return { outcome: { outcome: 'selected', optionId: 'approve' } };
      })
      .connectWith(stream, async (agent) => {
        await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
        const cwd = join(folder, 'notes');
        const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
        const prompt = [{ type: 'text' as const, text: 'Make an index.' }];
        const answer = await agent.request(methods.agent.session.prompt, { sessionId, prompt });
        expect(answer).toEqual({ stopReason: 'end_turn' });
      });
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
    expect(asked).toEqual(['write_file /index.md']);
    expect(said).toBe('The index is in index.md.');
    expect(readFileSync(join(folder, 'notes', 'index.md'), 'utf8')).toBe('# Index');
  });

  it('runs the example test in Vitest', async () => {
    const vitest = join(project, 'node_modules', 'vitest', 'vitest.mjs');
    const { output } = await command(process.execPath, [vitest, 'run', '--root', project], {
      ...process.env,
      NO_COLOR: '1',
    });
    expect(output).toMatch(/Tests\s+1 passed/);
  });

  it(
    'has types that compile every example and every subpath',
    async () => {
      const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
      const subpaths = Object.keys(exports).filter((name) => !name.endsWith('.json') && name !== './s3');
      writeFileSync(
        join(project, 'subpaths.ts'),
        `${subpaths.map((name, at) => `import * as e${at} from '@deepdesk/harness${name.slice(1)}';`).join('\n')}
export const all = [${subpaths.map((_, at) => `e${at}`).join(', ')}];\n`,
      );
      writeFileSync(
        join(project, 'tsconfig.json'),
        JSON.stringify({
          compilerOptions: {
            strict: true,
            module: 'nodenext',
            target: 'es2023',
            noEmit: true,
            skipLibCheck: false,
            types: ['node'],
          },
          files: ['subpaths.ts', ...examples().map(({ file }) => file)],
        }),
      );
      const tsc = join(project, 'node_modules', 'typescript', 'bin', 'tsc');
      const ran = await run(process.execPath, [tsc, '-p', project], { cwd: project });
      const ours = ran.output.split('\n').filter((line) => !/^(node_modules\/(?!@deepdesk)|\s|$)/.test(line));
      expect(ours).toEqual([]);
    },
    INSTALL_WITHIN,
  );

  it('loads no native or provider package with its main entry', () => {
    expect(loadedWith('index').packages).toEqual([
      '@langchain/core',
      '@langchain/langgraph',
      '@langchain/langgraph-checkpoint',
      'langchain',
      'zod',
    ]);
    expect(loadedWith('sqlite').packages).not.toContain('pg');
  });

  it('ships its source maps', () => {
    const map = JSON.parse(readFileSync(join(installed, 'dist', 'index.js.map'), 'utf8'));
    expect(map.sources.length).toBe(map.sourcesContent.length);
    expect(map.sources.some((source: string) => source.endsWith('create-deep-agent.ts'))).toBe(true);
  });
});
