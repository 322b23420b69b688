import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LaunchOptions, makeFolder, type RunningApp } from './app';
import { addFolder, chooseModel, skipFirstRun } from './window';

/** The trial server over HTTP; it prints its address. Kill it. */
export const startServer = (...kind: string[]) =>
  spawn(process.execPath, [join(import.meta.dirname, 'mcp-server.mjs'), 'http', ...kind], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

interface Started {
  /** By the name that the app knows a server by. */
  servers: Readonly<Record<string, ReturnType<typeof startServer>>>;
  folder: string;
  modelUrl: string;
}

/** Starts the app with the servers and the model, in the folder. */
export async function withServers(
  launchApp: (options?: LaunchOptions) => Promise<RunningApp>,
  { servers, folder, modelUrl }: Started,
) {
  const mcpServers: Record<string, { url: string }> = {};
  for (const [name, server] of Object.entries(servers)) {
    const [printed]: Buffer[] = await once(server.stdout, 'data');
    mcpServers[name] = { url: String(printed).trim() };
  }
  const dataDir = makeFolder('data');
  writeFileSync(join(dataDir, 'mcp.json'), JSON.stringify({ mcpServers }));
  const env = { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: modelUrl };
  const running = await launchApp({ dataDir, folder, env });
  const { app, page } = running;
  await skipFirstRun(page);
  await addFolder({ app, page }, folder);
  await chooseModel(page, 'Anthropic', 'claude-sonnet-4-5', 'Claude Sonnet 4.5');
  return running;
}
