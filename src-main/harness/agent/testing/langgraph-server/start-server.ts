import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { run } from '../../../../../scripts/process.mjs';

/** Milliseconds for fetching 150 packages, and for programs that load them on a busy machine. */
export const INSTALL_WITHIN = 600_000;

/** `node start.mjs PORT` serves the graphs on loopback, says so, and ends with its input. */
const START = `
import { startServer } from '@langchain/langgraph-api/server';
const path = import.meta.dirname + '/graphs.mjs';
await startServer({
  host: '127.0.0.1',
  port: Number(process.argv[2]),
  nWorkers: 4,
  cwd: import.meta.dirname,
  graphs: { worker: path + ':worker', parent: path + ':parent' },
});
console.log('listening');
process.stdin.on('end', () => process.exit()).resume();
`;

/** A port that was free a moment ago: the server cannot choose one itself. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Installs LangGraph's development server into a folder and serves `graphs.ts` with it, on loopback. */
export async function startLangGraph(): Promise<{ url: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'langgraph-server-'));
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(import.meta.dirname, file), join(folder, file));
  writeFileSync(join(folder, 'start.mjs'), START);
  await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      ssr: join(import.meta.dirname, 'graphs.ts'),
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'graphs.mjs' } },
    },
  });
  // Not `npm ci`: it refuses a lock file without the optional packages of every system.
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
  const installed = await run('npm', args, { cwd: folder });
  if (installed.code !== 0) throw new Error(installed.output);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const started = spawn(process.execPath, ['start.mjs', String(port)], {
    cwd: folder,
    env: { ...process.env, OWN_URL: url, LANGSMITH_TRACING: 'false', NODE_ENV: 'development' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [started.stdout, started.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  await new Promise<void>((resolve, reject) => {
    started.once('exit', () => reject(new Error(`The server ended:\n${said}`)));
    started.stdout.on('data', () => said.includes('listening') && resolve());
  });
  return { url, close: () => end(started, folder) };
}

async function end(server: ChildProcess, folder: string): Promise<void> {
  if (server.kill('SIGKILL')) await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
