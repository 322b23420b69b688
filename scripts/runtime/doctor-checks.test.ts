import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../process.mjs';
import { isNewEnough } from './doctor-checks.mjs';

it.each([
  ['v20.18.0', '>=20.18', true],
  ['v20.17.9', '>=20.18', false],
  ['v22.0.0', '>=20.18', true],
  ['v18.20.1', '>=20.18', false],
])('compares %s with %s', (version, range, enough) => expect(isNewEnough(version, range)).toBe(enough));

describe('npm run doctor', () => {
  const doctor = (folder: string, env: NodeJS.ProcessEnv = process.env) =>
    spawnSync(process.execPath, [join(folder, 'scripts', 'doctor.mjs')], {
      cwd: folder,
      encoding: 'utf8',
      env,
    });

  it('asks for npm ci first if it is missing, and fails', () => {
    const folder = mkdtempSync(join(tmpdir(), 'deepdesk-doctor-'));
    try {
      mkdirSync(join(folder, 'scripts'));
      for (const part of ['scripts', 'package.json'])
        cpSync(join(root, part), join(folder, part), { recursive: true });
      const { status, stdout, stderr } = doctor(folder);
      expect(stderr).toBe('');
      expect(stdout).toContain('✗ packages: node_modules is missing\n    What to do: npm ci\n');
      expect(stdout).toContain('The app cannot start before this is solved: packages.');
      expect(status).toBe(1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('names each part, and the consequence of each missing one', () => {
    const { status, stdout } = doctor(root);
    for (const name of [
      'Node',
      'packages',
      'runtime',
      'SQLite binding',
      'display',
      'sandbox for commands',
      'ripgrep',
      'terminals',
      'free space',
    ])
      expect(stdout).toMatch(new RegExp(`^[✓–✗] ${name}: \\S`, 'm'));
    expect(stdout).toContain('✓ packages: installed');
    expect(stdout).toContain('✓ terminals: work');
    expect(stdout).toMatch(/✓ ripgrep: ripgrep \d/);
    expect(status).toBe(stdout.includes('✗') ? 1 : 0);
  }, 60_000);

  it.skipIf(process.platform !== 'linux')(
    'does not advise to install a bubblewrap that is installed but cannot be used',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'deepdesk-doctor-'));
      try {
        writeFileSync(join(folder, 'bwrap'), '#!/bin/sh\necho "bwrap: no namespaces" >&2; exit 1\n', {
          mode: 0o755,
        });
        const { stdout } = doctor(root, { ...process.env, PATH: `${folder}:${process.env.PATH}` });
        expect(stdout).toMatch(
          /sandbox for commands: .*cannot be used here: bwrap: no namespaces\.\n {4}Without it: .*\n[✓–✗]/,
        );
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    60_000,
  );
});
