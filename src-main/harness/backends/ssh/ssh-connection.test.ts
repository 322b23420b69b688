import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { SshBackend } from './ssh-backend';
import { SshConnection } from './ssh-connection';

afterEach(() => vi.unstubAllEnvs());

it.skipIf(process.platform === 'win32')(
  'is prepared again after the folder for temporary files could not be used',
  async () => {
    const gone = mkdtempSync(join(tmpdir(), 'gone-'));
    rmSync(gone, { recursive: true });
    vi.stubEnv('TMPDIR', gone);
    const connection = new SshConnection({ host: 'nobody' });
    const backend = new SshBackend({ host: 'nobody' });
    expect(await backend.read('/a')).toMatchObject({ kind: 'network', error: expect.stringContaining(gone) });
    await expect(connection.terminal()).rejects.toMatchObject({ problem: { kind: 'unreachable' } });
    await backend.close();
    await connection.drop();
    await expect(connection.terminal()).rejects.toThrow();
    vi.unstubAllEnvs();
    expect((await connection.terminal())('true').file).toBe('ssh');
    await connection.close();
  },
);
