import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { McpDraft } from '../../contract/mcp';
import { memoryValues, temp } from '../testing/place';
import { parseConfig, setupOf } from './config';
import { PersonFile } from './person-file';

const draft = (more: Partial<McpDraft> = {}): McpDraft => ({
  name: 'github',
  previous: null,
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'server-github'],
  cwd: '',
  url: '',
  secrets: [{ name: 'GITHUB_TOKEN', value: 'ghp_abcdefgh12345678' }],
  timeoutSeconds: 60,
  ...more,
});

const REFERENCE: unknown = expect.stringMatching(/^\$\{keychain:[0-9a-f-]{36}\}$/u);

function file(text?: string) {
  const path = join(temp('person'), 'data', 'mcp.json');
  const values = new Map<string, string>();
  const person = new PersonFile(path, memoryValues(values));
  const read = () => JSON.parse(readFileSync(path, 'utf8')) as { mcpServers: Record<string, unknown> };
  const put = (value: unknown) =>
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return { path, person, read, put, text, values };
}

describe("the user's MCP file", () => {
  it('is readable only by its owner and uses the format of other programs', async () => {
    const { path, person, read, values } = file();
    expect(await person.save(draft())).toEqual({ ok: true, value: {} });
    expect(read()).toEqual({
      mcpServers: {
        github: {
          command: 'npx',
          args: ['-y', 'server-github'],
          env: { GITHUB_TOKEN: REFERENCE },
          timeoutSeconds: 60,
        },
      },
    });
    expect([...values.values()]).toEqual(['ghp_abcdefgh12345678']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('stays a link to the file that is changed', async () => {
    const { path, person, read } = file();
    const elsewhere = join(temp('dotfiles'), 'mcp.json');
    writeFileSync(elsewhere, '{"mcpServers": {}}');
    mkdirSync(dirname(path));
    symlinkSync(elsewhere, path);
    expect(await person.save(draft())).toEqual({ ok: true, value: {} });
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(elsewhere, 'utf8')).toContain('github');
    expect(Object.keys(read().mcpServers)).toEqual(['github']);
  });

  it('keeps values that were not retyped, masked parts that were not changed, and unknown keys', async () => {
    const { person, read, put } = file();
    await person.save(draft());
    const args = ['--api-key', 'top-secret-1', '--level', '3'];
    put({
      theme: 'dark',
      mcpServers: {
        ...read().mcpServers,
        github: { command: 'npx', args, env: { A: 'one', B: 'two' }, note: 'mine' },
      },
    });
    const [entry] = parseConfig(JSON.stringify(read())).entries;
    if (!entry?.ok) throw new Error('Not readable.');
    const shown = setupOf(entry.config, false);
    expect(shown.args).toEqual(['--api-key', '•••', '--level', '3']);
    const saved = await person.save(
      draft({
        name: 'hub',
        previous: 'github',
        args: [...shown.args.slice(0, 3), '4'],
        secrets: [
          { name: 'A', value: null },
          { name: 'C', value: 'three' },
        ],
      }),
    );
    expect(saved.ok).toBe(true);
    expect(read()).toEqual({
      theme: 'dark',
      mcpServers: {
        hub: {
          note: 'mine',
          command: 'npx',
          args: ['--api-key', 'top-secret-1', '--level', '4'],
          env: { A: 'one', C: REFERENCE },
          timeoutSeconds: 60,
        },
      },
    });
  });

  it('stores typed values outside the file while it references them', async () => {
    const { person, read, values } = file();
    const token = (value: string | null, more: Partial<McpDraft> = {}) =>
      person.save(draft({ secrets: [{ name: 'T', value }], ...more }));
    await token('one');
    await token(null, { previous: 'github', name: 'hub' });
    expect([...values.values()]).toEqual(['one']);
    await token('two', { previous: 'hub', name: 'hub' });
    expect([...values.values()]).toEqual(['two']);
    await token('refused', { previous: 'hub', name: 'hub', command: '' });
    expect([...values.values()]).toEqual(['two']);
    // Only the name of a variable was typed, which is not a secret.
    const variable = '$' + '{TOKEN}';
    await token(variable, { name: 'other' });
    expect(read().mcpServers.other).toMatchObject({ env: { T: variable } });
    await person.remove('hub');
    expect([...values.values()]).toEqual([]);
  });

  it('rejects drafts that cannot work, says what to correct, and changes nothing', async () => {
    const { person, read, put } = file();
    await person.save(draft());
    const before = read();
    const messages = [];
    for (const wrong of [
      draft(),
      draft({ name: 'x', command: ' ' }),
      draft({ name: 'x', transport: 'http', url: 'ftp://example.com' }),
      draft({ name: 'x', transport: 'http', url: 'https://example.com/?key=•••' }),
      draft({ name: 'x', args: ['--token', '•••'] }),
      draft({ name: 'x', secrets: [{ name: 'A', value: null }] }),
      draft({ name: 'x', secrets: [{ name: 'A B', value: '1' }] }),
      draft({ name: 'x', previous: 'nobody' }),
    ]) {
      const result = await person.save(wrong);
      messages.push(result.ok ? 'saved' : inEnglish(result.error));
      expect(await person.check(wrong)).toEqual(result);
    }
    expect(await person.check(draft({ name: 'x' }))).toEqual({ ok: true, value: {} });
    expect(messages).toEqual([
      'You already have a server named “github”.',
      'Enter the program to start.',
      'The address must start with http:// or https://.',
      "Enter the whole address: ••• stands for a part that isn't shown.",
      "Enter the whole argument: ••• stands for a part that isn't shown.",
      'Enter a value for “A”.',
      "“A B” isn't a valid variable name.",
      'The server “nobody” has been removed.',
    ]);
    expect(read()).toEqual(before);
    put('{ broken');
    expect(await person.save(draft())).toMatchObject({ ok: false, error: { kind: 'invalid' } });
  });

  it('keeps every one of several simultaneous changes', async () => {
    const { person, read } = file();
    await Promise.all(['a', 'b', 'c'].map((name) => person.save(draft({ name }))));
    await person.remove('b');
    expect(Object.keys(read().mcpServers)).toEqual(['a', 'c']);
  });
});
