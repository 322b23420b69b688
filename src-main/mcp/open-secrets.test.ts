import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { findSecrets } from '../secrets';
import { keepMasked } from './masks';
import { mapOpenSecrets, openSecrets } from './open-secrets';
import { alive, place, trial } from './testing/place';

// Real programs start slowly on loaded machines.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

// Joined from parts, so that scanners find no key in this file.
const KEY = ['s7Kq', 'P2vX', '9mZr', 'T4wL'].join('');
const GITHUB = ['ghp_', 'a1B2c3D4e5F6', 'g7H8i9J0k1L2', 'm3N4o5P6q7R8'].join('');
const LATER = ['$', '{TOKEN}'].join('');

const marked = (args: string[], url = '', named: Record<string, string> = {}) =>
  mapOpenSecrets({ args, url, named }, findSecrets, (value) => `<${value}>`);

describe('a likely secret in plain text', () => {
  it('is found in arguments by its format, the preceding option, or its name', () => {
    expect(
      marked([
        ...['-y', '@scope/server-tokens', '--root', '/home/me/secret-plans-2024', GITHUB],
        ...['--access-token', KEY, `--api-key=${KEY}`, `X-Api-Key: ${KEY}`],
        ...[`Authorization: Bearer ${KEY}`, `postgres://me:${KEY}@db.example.com/a`],
      ]).args,
    ).toEqual([
      ...['-y', '@scope/server-tokens', '--root', '/home/me/secret-plans-2024', `<${GITHUB}>`],
      ...['--access-token', `<${KEY}>`, `--api-key=<${KEY}>`, `X-Api-Key: <${KEY}>`],
      ...[`Authorization: Bearer <${KEY}>`, `postgres://me:<${KEY}>@db.example.com/a`],
    ]);
  });

  it('is found in the user, query and path of addresses', () => {
    const url = (text: string) => marked([], text).url;
    expect(url(`https://me:${KEY}@example.com/mcp?mode=fast&key=${KEY}&page=2#a`)).toBe(
      `https://me:<${KEY}>@example.com/mcp?mode=fast&key=<${KEY}>&page=2#a`,
    );
    expect(url(`https://example.com/s/${KEY}${KEY}/mcp?token=${KEY}`)).toBe(
      `https://example.com/s/<${KEY}${KEY}>/mcp?token=<${KEY}>`,
    );
    expect(url('https://example.com/a-rather-long-name-of-a-page/v2?auth=none')).toBe(
      'https://example.com/a-rather-long-name-of-a-page/v2?auth=none',
    );
  });

  it('is found in variables and headers, without the scheme before it', () => {
    expect(
      marked([], '', {
        ...{ MY_KEY: KEY, Authorization: `Bearer ${KEY}`, LOG: 'debug-level-2', PLAIN: GITHUB },
        ...{ TOKEN: LATER, AUTH_MODE: 'oauth' },
      }).named,
    ).toEqual({
      ...{ MY_KEY: `<${KEY}>`, Authorization: `Bearer <${KEY}>`, LOG: 'debug-level-2', PLAIN: `<${GITHUB}>` },
      ...{ TOKEN: LATER, AUTH_MODE: 'oauth' },
    });
  });

  it('does not include variable references and keychain values', () => {
    const reference = ['$', '{keychain:0f8fad5b-d9cb-469f-a165-70867728950e}'].join('');
    const entry = {
      args: [`--token=${LATER}`, '--token', LATER, `--token=${reference}`, '--token', reference],
      url: `https://me:${reference}@example.com/${reference}/mcp?key=${reference}&token=${LATER}`,
      named: { TOKEN: LATER, KEY: reference, Authorization: `Bearer ${reference}` },
    };
    expect(openSecrets(entry, findSecrets)).toEqual([]);
  });
});

describe('the offer to move a secret to the keychain', () => {
  const servers = {
    mine: trial('', { env: { TRIAL_TOKEN: KEY, MODE: 'fast' }, note: 'kept' }),
    far: { url: `https://example.com/mcp?api_key=${KEY}`, headers: { 'X-Team': 'two' }, disabled: true },
  };
  const text = (folder: string) => readFileSync(join(folder, 'mcp.json'), 'utf8');

  it('leaves no plain text in the file and does not change how the server runs', async () => {
    const t = place({
      ...servers,
      mine: { ...servers.mine, args: [...servers.mine.args, `--token=${KEY}`] },
    });
    expect((await t.shown('mine')).setup?.readable).toBe(2);
    expect(await t.mcp.keepSecrets('mine')).toEqual({ ok: true, value: {} });
    expect(await t.mcp.keepSecrets('far')).toEqual({ ok: true, value: {} });
    expect(text(t.dataDir)).not.toContain(KEY);
    expect(JSON.parse(text(t.dataDir))).toMatchObject({
      mcpServers: {
        mine: { env: { MODE: 'fast' }, note: 'kept' },
        far: { headers: { 'X-Team': 'two' }, disabled: true },
      },
    });
    expect([...t.values.values()]).toEqual([KEY, KEY, KEY]);
    const mine = await t.shown('mine');
    expect(mine.setup).toMatchObject({ readable: 0 });
    expect(mine.setup?.args.at(-1)).toBe('--token=•••');
    expect((await t.shown('far')).setup).toMatchObject({
      readable: 0,
      url: 'https://example.com/mcp?api_key=•••',
    });
    expect(await t.call('mine__env', { name: 'TRIAL_TOKEN' })).toEqual({ status: 'success', content: KEY });
    await vi.waitFor(() => expect(alive(`--token=${KEY}`)).toHaveLength(1), { timeout: 20_000 });
    expect(new Set(await t.mcp.typedSecrets())).toEqual(new Set([KEY]));
  });

  it('changes no other entry, rejects unreadable ones, and does nothing when repeated', async () => {
    const t = place({ ...servers, odd: { command: 'x', args: 7, env: { TOKEN: KEY } } });
    expect(await t.mcp.keepSecrets('far')).toMatchObject({ ok: true });
    const before = text(t.dataDir);
    expect(before).toContain(KEY);
    expect(await t.mcp.keepSecrets('far')).toMatchObject({ ok: true });
    expect(await t.mcp.keepSecrets('odd')).toMatchObject({ ok: false, error: { kind: 'invalid' } });
    expect(await t.mcp.keepSecrets('nobody')).toMatchObject({ ok: false, error: { kind: 'not_found' } });
    expect(JSON.parse(text(t.dataDir))).toEqual(JSON.parse(before));
    expect(t.values.size).toBe(1);
  });

  it('is not made without a keychain or for servers of a folder', async () => {
    const t = place(servers, {
      withKeychain: false,
      project: { theirs: { ...servers.far, disabled: false } },
    });
    expect((await t.shown('mine')).setup?.readable).toBe(0);
    expect(await t.mcp.keepSecrets('mine')).toMatchObject({ ok: false, error: { kind: 'unsupported' } });
    const other = place({}, { project: { theirs: { ...servers.far, disabled: false } } });
    expect((await other.shown('theirs')).setup?.readable).toBe(0);
  });
});

it('keeps a masked argument that was moved, unless it is ambiguous', () => {
  const [shown, kept] = [
    ['-y', '•••', '--key=•••'],
    ['-y', 'one', '--key=two'],
  ];
  expect(keepMasked(['--key=•••', '-v', '-y', '•••'], shown, kept)).toEqual(['--key=two', '-v', '-y', 'one']);
  expect(keepMasked(['-v', '•••', '•••'], ['•••', '•••'], ['one', 'two'])).toEqual(['-v', 'two', '•••']);
});
