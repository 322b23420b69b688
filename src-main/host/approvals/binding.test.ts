import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Approval } from '../../contract/approvals';
import { because } from '../../contract/shared/reasons';
import { SlowModel } from '../testing/slow-model';
import { cleanups, FakeWindow, isIdle, isWaiting, setUp, startHost } from '../testing/window';

vi.setConfig({ testTimeout: 60_000 });
const isPosix = process.platform !== 'win32';
const NO_SANDBOX = { sandbox: { kind: null, reason: because('bubblewrap_missing') } } as const;

async function waiting(command: string, files: Record<string, string | Buffer>) {
  const t = await setUp(NO_SANDBOX);
  const write = (name: string, text: string | Buffer) => {
    mkdirSync(join(t.folder, name, '..'), { recursive: true });
    writeFileSync(join(t.folder, name), text);
    if (/\.sh$/.test(name)) chmodSync(join(t.folder, name), 0o755);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  SlowModel.into(t.host, [[{ name: 'execute', args: { command } }]]);
  await t.say('go');
  const { approvals } = await t.window.until(isWaiting(1));
  const [first] = approvals;
  if (first === undefined) throw new Error('Nothing waits.');
  const nextCard = async (window = t.window): Promise<Approval> => {
    const state = await window.until((now) => isWaiting(1)(now) && now.approvals[0]?.digest !== first.digest);
    if (state.approvals[0] === undefined) throw new Error('Nothing waits.');
    return state.approvals[0];
  };
  const ran = (name: string) => existsSync(join(t.folder, name));
  return { ...t, write, first, nextCard, ran };
}

const linesOf = ({ changed = [] }: Approval) =>
  changed.flatMap(({ hunks = [] }) => hunks.flatMap(({ lines }) => lines));

describe.runIf(isPosix)('the call on an approval card', () => {
  it.each([
    ['npm run build', 'package.json', (line: string) => JSON.stringify({ scripts: { build: line } })],
    [
      'npm run build',
      'package.json',
      (line: string) => JSON.stringify({ scripts: { prebuild: line, build: 'true' } }),
    ],
    ['make all', 'Makefile', (line: string) => `all:\n\t${line}\n`],
    ['bash x.sh', 'x.sh', (line: string) => `${line}\n`],
    ['./x.sh', 'x.sh', (line: string) => `#!/bin/sh\n${line}\n`],
    ['node x.js', 'x.js', (line: string) => `require('child_process').execSync(${JSON.stringify(line)})\n`],
    ['npx tool', 'node_modules/.bin/tool', (line: string) => `#!/bin/sh\n${line}\n`],
  ])(
    '%s requires a new approval if %s has changed, and shows the difference [safety 9]',
    async (command, file, script) => {
      const t = await waiting(command, { [file]: script('touch shown') });
      t.write(file, script('touch other'));
      await t.window.decide(0, { type: 'approve' });
      const again = await t.nextCard();
      expect([t.ran('shown'), t.ran('other'), t.ran('sub/other')]).toEqual([false, false, false]);
      expect(again.reason).toContainEqual(because('changed_since'));
      expect(again.changed).toMatchObject([{ what: 'file', name: join(t.folder, file) }]);
      const lines = linesOf(again);
      expect(lines.some((line) => line.startsWith('-') && line.includes('touch shown'))).toBe(true);
      expect(lines.some((line) => line.startsWith('+') && line.includes('touch other'))).toBe(true);
      expect(t.window.calls[0]?.status).toBe('waiting');
      await t.window.decide(0, { type: 'reject' });
      await t.window.until(isIdle);
      expect(t.window.calls[0]?.status).toBe('rejected');
      expect([t.ran('other'), t.ran('sub/other')]).toEqual([false, false]);
    },
  );

  it.each([
    ['bytes that are no UTF-8', Buffer.from([0xff]), Buffer.from([0xfe])],
    ['a byte order mark', Buffer.from(''), Buffer.from([0xef, 0xbb, 0xbf])],
  ])('requires a new approval if only %s changed in a script [safety 9]', async (_, before, after) => {
    const script = (bytes: Buffer) =>
      Buffer.concat([bytes, Buffer.from('\nhead -c 3 x.sh | od -An -tx1 | tr -d " \\n" > log\n')]);
    const t = await waiting('sh x.sh', { 'x.sh': script(before) });
    t.write('x.sh', script(after));
    await t.window.decide(0, { type: 'approve' });
    await t.nextCard();
    expect(t.ran('log')).toBe(false);
  });

  it('node x.js requires a new approval if a module that it loads has changed or replaces another [safety 9]', async () => {
    const t = await waiting('node x.js', { 'x.js': "require('./lib')\n", 'lib/index.js': '' });
    t.write('lib.js', "require('fs').writeFileSync('other', '')\n");
    await t.window.decide(0, { type: 'approve' });
    const again = await t.nextCard();
    expect(again.changed).toContainEqual(
      expect.objectContaining({ what: 'file', name: join(t.folder, 'lib.js') }),
    );
    expect(t.ran('other')).toBe(false);
  });

  it('runs in its new state after a second approval, and in the old one if the change was reverted [safety 9]', async () => {
    const t = await waiting('sh x.sh', { 'x.sh': 'echo one >> log' });
    t.write('x.sh', 'echo two >> log');
    await t.window.decide(0, { type: 'approve' });
    await t.nextCard();
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(readFileSync(join(t.folder, 'log'), 'utf8')).toBe('two\n');
    expect(t.window.calls[0]?.status).toBe('done');
  });

  it('requires a new approval for a changed file, with a diff against the present content [safety 9]', async () => {
    const t = await setUp(NO_SANDBOX);
    writeFileSync(join(t.folder, 'a.txt'), 'one\n');
    SlowModel.into(t.host, [
      [{ name: 'read_file', args: { file_path: `${t.folder}/a.txt` } }],
      [{ name: 'write_file', args: { file_path: `${t.folder}/a.txt`, content: 'mine\n' } }],
    ]);
    await t.say('go');
    const { approvals } = await t.window.until(isWaiting(1));
    writeFileSync(join(t.folder, 'a.txt'), 'two\n');
    await t.window.decide(0, { type: 'approve' });
    const state = await t.window.until(
      (now) => isWaiting(1)(now) && now.approvals[0]?.digest !== approvals[0]?.digest,
    );
    expect(readFileSync(join(t.folder, 'a.txt'), 'utf8')).toBe('two\n');
    expect(state.approvals[0]).toMatchObject({
      changed: [{ what: 'file', name: `${t.folder}/a.txt` }],
      preview: { kind: 'diff', hunks: [{ lines: ['-two', '+mine'] }] },
    });
  });

  it('is remembered across a restart [safety 9]', async () => {
    const t = await waiting('sh x.sh', { 'x.sh': 'touch shown' });
    await t.host.close();
    t.host.close = async () => undefined;
    t.write('x.sh', 'touch other');
    const host = await startHost(t.dataDir, [], NO_SANDBOX);
    cleanups.push(() => host.close());
    SlowModel.into(host, [['done']]);
    const window = new FakeWindow(host);
    await window.open(t.threadId);
    await window.decide(0, { type: 'approve' });
    const again = await t.nextCard(window);
    expect(linesOf(again)).toEqual([
      '-touch shown',
      '\\ No newline at end of file',
      '+touch other',
      '\\ No newline at end of file',
    ]);
    expect([t.ran('shown'), t.ran('other')]).toEqual([false, false]);
  });

  it('requires a new approval after another call was decided, and shows what changed [safety 9]', async () => {
    const t = await setUp(NO_SANDBOX);
    writeFileSync(join(t.folder, 'x.sh'), 'touch shown');
    SlowModel.into(t.host, [
      [
        { name: 'execute', args: { command: 'sh x.sh' } },
        { name: 'execute', args: { command: 'touch beside' } },
      ],
    ]);
    await t.say('go');
    const { approvals } = await t.window.until(isWaiting(2));
    writeFileSync(join(t.folder, 'x.sh'), 'touch other');
    const index = approvals.findIndex(({ args }) => args.command === 'touch beside');
    const { digest } = approvals[1 - index] ?? {};
    await t.window.decide(index, { type: 'approve' });
    const state = await t.window.until((now) => isWaiting(1)(now) && now.approvals[0]?.digest !== digest);
    expect(existsSync(join(t.folder, 'beside'))).toBe(true);
    expect(state.approvals[0]?.changed).toMatchObject([{ what: 'file' }]);
  });
});
