import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FilesystemBackend } from '../filesystem';
import { isTemporaryName, newTemporaryName, release } from './temporaries';

let root: string;
let fs: FilesystemBackend;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deepdesk-temporaries-'));
  fs = new FilesystemBackend({ rootDir: root });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A file last changed this many minutes ago. */
function put(name: string, minutes: number): string {
  const path = join(root, name);
  writeFileSync(path, 'half of');
  const then = Date.now() / 1000 - minutes * 60;
  utimesSync(path, then, then);
  return name;
}

/** The id of a process that has exited. */
async function overPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'close');
  return child.pid ?? 0;
}

describe('leftovers of a killed write', () => {
  it('are deleted by the next write to the folder, and nothing else is', async () => {
    const over = await overPid();
    const left = put(`.a.txt.${over}-0123456789ab.deepdesk-tmp`, 11);
    const kept = [
      put(`.b.txt.${over}-0123456789ab.deepdesk-tmp`, 9),
      put(`.c.txt.${process.ppid}-0123456789ab.deepdesk-tmp`, 11),
      put(`.d.txt.${over}-0123456789ab.tmp`, 5_000),
      put(`.e.txt.${over}-0123456789.deepdesk-tmp`, 5_000),
      put(`f.txt.${over}-0123456789ab.deepdesk-tmp`, 5_000),
      put('.g.0123456789ab.tmp', 5_000),
    ];
    const live = newTemporaryName('h.txt');
    kept.push(put(live, 5_000));
    mkdirSync(join(root, `.i.${over}-0123456789ab.deepdesk-tmp`));
    expect(isTemporaryName(left) && isTemporaryName(live)).toBe(true);
    expect((await fs.write('/new.txt', 'x')).error).toBeUndefined();
    release(live);
    expect(readdirSync(root)).toEqual([...kept, 'new.txt', `.i.${over}-0123456789ab.deepdesk-tmp`].sort());
  });

  it('are deleted after a day, even if another process has the same id', async () => {
    put(`.a.txt.${process.ppid}-0123456789ab.deepdesk-tmp`, 25 * 60);
    await fs.write('/new.txt', 'x');
    expect(readdirSync(root)).toEqual(['new.txt']);
  });

  it('are neither listed nor found while they exist', async () => {
    put(`.a.txt.${process.ppid}-0123456789ab.deepdesk-tmp`, 1);
    writeFileSync(join(root, 'b.txt'), 'half of');
    expect((await fs.ls('/')).files?.map((file) => file.path)).toEqual(['/b.txt']);
    expect((await fs.glob('**')).files?.map((file) => file.path)).toEqual(['/b.txt']);
    expect((await fs.grep('half')).matches?.map((match) => match.path)).toEqual(['/b.txt']);
  });
});
