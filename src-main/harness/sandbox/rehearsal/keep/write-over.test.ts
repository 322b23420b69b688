import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { childProgram, removeBundle } from '../testing/place';
import { isTornWrite } from './write-over';

afterAll(removeBundle);

const [OLD, NEW] = [Buffer.alloc(300_000, 'o'), Buffer.alloc(400_000, 'n')];

async function looksTorn(now: Buffer): Promise<boolean> {
  const place = await mkdtemp(join(tmpdir(), 'deepdesk-torn-'));
  onTestFinished(() => rm(place, { recursive: true }));
  const [target, staged] = [join(place, 'target'), join(place, 'staged')];
  writeFileSync(target, now);
  writeFileSync(staged, NEW);
  writeFileSync(join(place, 'old'), OLD);
  return isTornWrite(target, staged, { saved: 'old' }, place);
}

/** The old content with the new one in some sectors. */
function mixed(...sectors: number[]): Buffer {
  const bytes = Buffer.from(OLD);
  for (const sector of sectors) NEW.copy(bytes, sector * 512, sector * 512, (sector + 1) * 512);
  return bytes;
}

describe('a file that was being written over', () => {
  it.each([
    ['nothing was written', OLD],
    ['all was written', NEW],
    ['a killed process wrote the beginning', Buffer.concat([NEW.subarray(0, 70_000), OLD.subarray(70_000)])],
    ['the power failed and the disk had written some sectors', mixed(1, 7, 500)],
    [
      'the power failed before the end was written',
      Buffer.concat([mixed(2).subarray(0, 299_520), NEW.subarray(299_520, 350_000)]),
    ],
  ])('is recognized when %s', async (_, now) => {
    expect(await looksTorn(now)).toBe(true);
  });

  it.each([
    ['another byte', Buffer.concat([OLD.subarray(0, -1), Buffer.from('x')])],
    ['a longer end', Buffer.concat([NEW, Buffer.from('n')])],
    ['a shorter end', OLD.subarray(0, -1)],
  ])('is not taken for it when somebody else wrote %s', async (_, now) => {
    expect(await looksTorn(now)).toBe(false);
  });
});

describe.skipIf(process.platform === 'win32')('a file that cannot be written over to its end', () => {
  /** Writes it in a process whose files may have 100 kB, instead of on a full disk. */
  async function writtenOver(staged: Buffer) {
    const place = await mkdtemp(join(tmpdir(), 'deepdesk-over-'));
    onTestFinished(() => rm(place, { recursive: true }));
    const [target, other] = [join(place, 'target'), join(place, 'other')];
    for (const name of ['target', 'saved']) writeFileSync(join(place, name), OLD.subarray(0, 60_000));
    writeFileSync(join(place, 'staged'), staged);
    linkSync(target, other);
    utimesSync(target, 1_000, 2_000);
    const script = 'ulimit -f 100; exec "$@" < /dev/null';
    const program = [process.execPath, await childProgram(), 'write over', place];
    const said = execFileSync('bash', ['--norc', '-c', script, 'bash', ...program], {
      env: {},
      encoding: 'utf8',
    });
    return {
      said: JSON.parse(said) as unknown,
      content: readFileSync(other),
      modified: statSync(target).mtimeMs,
    };
  }

  it('has its previous content and time again, under all its names', async () => {
    const { said, content, modified } = await writtenOver(NEW);
    expect([said, content.equals(OLD.subarray(0, 60_000)), modified]).toEqual(['EFBIG', true, 2_000_000]);
  });

  it('has the new content if that fits', async () => {
    const { said, content } = await writtenOver(NEW.subarray(0, 80_000));
    expect([said, content.equals(NEW.subarray(0, 80_000))]).toEqual([true, true]);
  });
});
