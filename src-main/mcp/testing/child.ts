// The quitting tests run this in a separate process. It starts a server whose programs are hard to kill, reports that, and
// exits in the requested way on SIGTERM.
import { tmpdir } from 'node:os';
import { MARK_VARIABLE, ProcessTree } from '../../terminal/pty/process-tree';
import { systemClock } from '../clock';
import { parseConfig } from '../config/config';
import { Server } from '../server';

const [, , way = '', program = '', seconds = ''] = process.argv;
const [entry] = parseConfig(
  JSON.stringify({ mcpServers: { trial: { command: process.execPath, args: [program, 'stdio'] } } }),
).entries;
if (!entry?.ok) throw new Error('The configuration is wrong.');

const server = new Server({
  config: entry.config,
  folder: tmpdir(),
  env: {},
  values: null,
  signInAt: () => ({ read: () => null, save: () => undefined, forget: () => undefined }),
  baseEnv: { PATH: process.env.PATH ?? '' },
  openBrowser: async () => false,
  version: 'test',
  clock: systemClock,
  onChanged: () => undefined,
  onStale: () => undefined,
  remembered: null,
  onListed: () => undefined,
  processes: {
    mark: (id) => ({ [MARK_VARIABLE]: id }),
    own: (pid, id) => {
      const tree = new ProcessTree(pid, id);
      return { end: (graceMs) => tree.end(graceMs), killNow: () => tree.killNow() };
    },
  },
});
const started = await server.call('child', { seconds }, new AbortController().signal);
if (!started.ok) throw new Error(String(started.content));
process.on('SIGTERM', () => {
  if (way === 'retire') void server.retire().then(() => process.exit());
  else process.exit();
});
process.stdout.write('started\n');
