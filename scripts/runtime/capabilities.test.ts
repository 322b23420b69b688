import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { capability, chromiumHere, skippedBecause } from './capabilities.mjs';

describe.skipIf(process.platform !== 'linux')('the capabilities of a machine', () => {
  it.each(['userNamespaces', 'ownLimits', 'commandSandbox', 'reflink'] as const)(
    'are tried once, and have a reason if they fail: %s',
    async (what) => {
      const found = await capability(what);
      expect(found.works).toBe(found.reason === null);
      if (!found.works) expect(found.reason).toMatch(/^\S.*[.:]\S*$|^\S.*\.$/);
      expect(found.meaning).not.toBe('');
      expect(await capability(what)).toBe(found);
    },
  );

  it('match what the same command finds by hand', async () => {
    let works = true;
    try {
      execFileSync('unshare', ['--user', 'true'], { stdio: 'ignore' });
    } catch {
      works = false;
    }
    expect((await capability('userNamespaces')).works).toBe(works);
  });

  it('are named in the tests that they skip', () => {
    const none = { name: 'wings', works: false, reason: 'There are none.', meaning: 'it walks' };
    expect(skippedBecause(none)).toBe(' (skipped: wings: There are none.)');
    expect(skippedBecause({ ...none, works: true, reason: null })).toBe('');
  });
});

describe.skipIf(process.platform !== 'linux')('the capabilities of Chromium', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'deepdesk-capabilities-'));
    vi.stubEnv('DEEPDESK_CACHE', join(folder, 'cache'));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  const ANSWER = `probe:${JSON.stringify({ sum: 2, keychain: false, keychainBackend: 'basic_text', displays: 1 })}`;

  /** A program that stands in for Electron and records each start. */
  function electron(script: string) {
    const file = join(folder, 'electron');
    writeFileSync(file, `#!/bin/sh\necho "$@" >> ${join(folder, 'starts')}\n${script}\n`);
    chmodSync(file, 0o755);
    return file;
  }
  const starts = () =>
    execFileSync('cat', [join(folder, 'starts')], { encoding: 'utf8' })
      .trim()
      .split('\n').length;

  it('are cached, and tried again on request', async () => {
    const program = electron(`echo '${ANSWER}'`);
    const found = await chromiumHere(program);
    expect(found).toMatchObject({ starts: true, sandboxOff: null, displays: 1, keychain: false });
    expect(await chromiumHere(program)).toEqual(found);
    expect(starts()).toBe(1);
    await chromiumHere(program, { again: true });
    expect(starts()).toBe(2);
  });

  it.each([
    [
      '[1:1122/000000.000000:FATAL:zygote_host_impl_linux.cc(126)] No usable sandbox! Update your kernel',
      /^This system keeps programs from making user namespaces/,
    ],
    [
      '[1:1122/000000.000000:ERROR:zygote_host_impl_linux.cc(101)] Running as root without --no-sandbox is not supported.',
      /^Chromium refuses its sandbox when started by root/,
    ],
    [
      'the process of a page ended: crashed',
      /could not show a page in its sandbox: the process of a page ended/,
    ],
  ])('are known without the sandbox, with the reason: %s', async (words, reason) => {
    const program = electron(
      `case "$*" in *--no-sandbox*) echo '${ANSWER}';; *) echo '${words}' >&2; exit 133;; esac`,
    );
    const found = await chromiumHere(program);
    expect(found).toMatchObject({ starts: true, displays: 1 });
    expect(found.sandboxOff).toMatch(reason);
    expect(starts()).toBe(2);
  });

  it('are not cached if Chromium does not start at all, and include its output', async () => {
    const program = electron('echo "no display" >&2; exit 1');
    expect(await chromiumHere(program)).toMatchObject({
      starts: false,
      said: expect.stringContaining('no display'),
    });
    await chromiumHere(program);
    expect(starts()).toBe(4);
  });
});
