import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasGraphicsCard } from './graphics';

describe.skipIf(process.platform !== 'linux')('a graphics card', () => {
  const devices = () => {
    const folder = mkdtempSync(join(tmpdir(), 'deepdesk-dev-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return folder;
  };

  it('is missing where the system shows none', () => {
    const folder = devices();
    writeFileSync(join(folder, 'null'), '');
    expect(hasGraphicsCard(folder)).toBe(false);
  });

  it.each(['dri', 'nvidiactl', 'dxg'])('is there with %s', (name) => {
    const folder = devices();
    if (name === 'dri') mkdirSync(join(folder, name));
    else writeFileSync(join(folder, name), '');
    expect(hasGraphicsCard(folder)).toBe(true);
  });
});
