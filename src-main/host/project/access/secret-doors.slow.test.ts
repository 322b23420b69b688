import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { english } from '../../../../src-renderer/i18n/english';
import { type Confinement, NOT_CONFINED } from '../../../approvals/confined';
import { createGate } from '../../../approvals/gate';
import { isSecretEntry } from '../../../base/secret-paths';
import { SECRET_NAMES, SHARED_NAMES } from '../../../base/testing/secret-names';
import type { Project } from '../../../contract/app';
import type { Attachment } from '../../../contract/attachments';
import { CompositeBackend, StateBackend } from '../../../harness/backends';
import { FilesystemBackend } from '../../../harness/backends/filesystem';
import { createSandbox } from '../../../harness/sandbox';
import { bubblewrap, runProgram, skippedNote, whySkipped } from '../../../harness/sandbox/testing/bubblewrap';
import { protectedGate, protectionOf } from '../../approvals/protected-paths';
import { isIdle, setUp as startHost } from '../../testing/window';
import { mentionNotes } from '../../turns/messages/mentions';
import { messageFiles } from '../../turns/messages/outgoing-message';

const CANARY = 'TOKEN-7f31';
const HOME = '/home/somebody';
const PROTECTION = { home: HOME, mounts: () => [] };
let base = '';
let folder = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-doors-')));
  folder = join(base, 'project');
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
});

function write(name: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `x = "${CANARY}"\n`);
  return path;
}

const IN_SANDBOX: Confinement = { available: true, reason: null, wanted: true };

/** The thread's tree and its gate, built as in the app. */
function doors() {
  const project = { mount: folder, folder } as Project;
  const backend = new CompositeBackend(
    new StateBackend({ files: { read: () => ({}), send: () => undefined } }),
    { [`${folder}/`]: new FilesystemBackend({ rootDir: folder }) },
    { omits: (path) => protectionOf(project, PROTECTION)('read', path) !== null },
  );
  const gateOf = (mode: 'ask-risky' | 'auto-sandbox') =>
    protectedGate(
      createGate({
        places: { folder, memories: '/memories' },
        backend,
        timeoutSeconds: 1,
        shell: {
          folder,
          cwd: folder,
          home: HOME,
          dataDir: join(base, 'data'),
          findProgram: async (name) => `/usr/bin/${name}`,
        },
        mode: () => mode,
        confinement: () => (mode === 'auto-sandbox' ? IN_SANDBOX : NOT_CONFINED),
      }),
      project,
      backend,
      PROTECTION,
    );
  const judge = async (
    tool: string,
    args: Record<string, unknown>,
    mode: 'ask-risky' | 'auto-sandbox' = 'ask-risky',
  ) => {
    const said = await gateOf(mode).judge({ callId: 'c', tool, args }, new AbortController().signal);
    return said.verdict === 'ask'
      ? { ask: said.question.risk, why: english.sentences(said.question.reason) }
      : said.verdict;
  };
  return { project, backend, judge };
}

const TO_THE_MODEL = { ask: 'high', why: expect.stringContaining('sent to the model') as unknown };
const attachmentOf = (name: string) => ({ name }) as Attachment;

describe('every way to a file treats secrets alike [safety 16]', () => {
  it.each(SECRET_NAMES)(
    '%s requires approval, is left out or is hidden, and is never simply read',
    async (name) => {
      const path = write(`sub/${name}`);
      symlinkSync(path, join(folder, 'notes.txt'));
      const { project, backend, judge } = doors();
      for (const file of [path, join(folder, 'notes.txt')]) {
        expect(await judge('read_file', { file_path: file })).toEqual(TO_THE_MODEL);
        expect(await judge('grep', { pattern: 'x', path: file, output_mode: 'content' })).toEqual(
          TO_THE_MODEL,
        );
        const edit = { file_path: file, old_string: 'x', new_string: 'y' };
        for (const mode of ['ask-risky', 'auto-sandbox'] as const) {
          expect(await judge('edit_file', edit, mode)).toMatchObject({ ask: 'high' });
          expect(await judge('write_file', { file_path: file, content: '' }, mode)).toMatchObject({
            ask: 'high',
          });
          expect(await judge('delete', { file_path: file }, mode)).toMatchObject({ ask: 'high' });
        }
        expect(await judge('execute', { command: `cat ${file}` })).toMatchObject({ ask: expect.anything() });
      }
      expect(await judge('execute', { command: `cat ${path}` })).toEqual(TO_THE_MODEL);
      expect(await judge('execute', { command: `cat < sub/${name}` })).toEqual(TO_THE_MODEL);
      for (const stored of [`git show HEAD:${name}`, `git -C sub cat-file -p :0:${name}`])
        for (const mode of ['ask-risky', 'auto-sandbox'] as const)
          expect(await judge('execute', { command: stored }, mode)).toEqual(TO_THE_MODEL);
      expect(await judge('execute', { command: `base64 ${path}` }, 'auto-sandbox')).toEqual(TO_THE_MODEL);

      const found = await backend.grep(CANARY, folder);
      expect(found.matches).toEqual([]);
      // Hidden files are searched only if they are named.
      const isHidden = name.split('/').some((part) => part.startsWith('.'));
      expect(found.omitted ?? 0).toBe(isHidden ? 0 : 1);
      if (!isHidden) expect(await judge('execute', { command: `rg ${CANARY}` })).toEqual(TO_THE_MODEL);
      // Names are not secret.
      expect(await judge('ls', { path: join(folder, 'sub') })).toBe('allow');
      expect(await judge('glob', { pattern: '**/*', path: folder })).toBe('allow');

      expect(await mentionNotes(`look into @sub/${name} and @notes.txt`, { project, backend })).toEqual([
        expect.stringContaining('the person is asked before you read it'),
        expect.stringContaining('the person is asked before you read it'),
      ]);
      const files = [attachmentOf(name.split('/').at(-1) ?? ''), attachmentOf('plain.txt')];
      // An attachment has no folder that would mark it as a secret.
      if (!name.includes('/')) {
        expect(messageFiles(files, undefined)).toMatchObject({ ok: false, error: { kind: 'conflict' } });
        expect(messageFiles(files, 'redact')).toEqual({ ok: true, value: [files[1]] });
        expect(messageFiles(files, 'send')).toEqual({ ok: true, value: files });
      }
    },
  );

  it.each(SHARED_NAMES)('%s is read and found like any other file', async (name) => {
    const path = write(`sub/${name}`);
    const { project, backend, judge } = doors();
    // Listing a key folder requires approval; reading a public file in it does not.
    expect(await judge('read_file', { file_path: path })).toBe('allow');
    expect(await judge('grep', { pattern: 'x', path })).toBe('allow');
    expect(await judge('execute', { command: `cat ${path}` })).toBe('allow');
    expect((await backend.grep(CANARY, path)).matches).toHaveLength(1);
    expect(await judge('execute', { command: `rg ${CANARY}` })).toBe('allow');
    expect(await mentionNotes(`@sub/${name}`, { project, backend })).toEqual([
      expect.not.stringContaining('asked before'),
    ]);
    expect(messageFiles([attachmentOf(name.split('/').at(-1) ?? '')], undefined)).toMatchObject({ ok: true });
  });

  it.skipIf(whySkipped !== null)(
    `no command in the sandbox sees a secret file${skippedNote}`,
    { timeout: 60_000 },
    async () => {
      for (const name of SECRET_NAMES) write(`sub/${name}`);
      write('plain.txt');
      const box = await createSandbox({
        found: bubblewrap,
        folder,
        home: HOME,
        own: [],
        temporary: join(base, 'data/tmp'),
        isSecret: (path, kind) => isSecretEntry(path, kind, HOME),
        hosts: () => ({ allow: [], deny: [] }),
      }).enter({ cwd: folder, callId: 'c' });
      const search = `grep -rl ${CANARY} . ; find . -type f -exec cat {} +`;
      const ended = await runProgram(box.wrap({ file: '/bin/bash', args: ['-c', search] }));
      await box.leave(ended);
      expect(ended.output.split('\n').filter((line) => line.startsWith('./'))).toEqual(['./plain.txt']);
      expect(ended.output.split(CANARY)).toHaveLength(2);
    },
  );

  it('a message with such a file is sent only as the person decides', { timeout: 60_000 }, async () => {
    const t = await startHost();
    const data = Buffer.from(`x = ${CANARY}`).toString('base64');
    const attachment = await t.window.must('attachments.add', {
      threadId: t.threadId,
      origin: 'file',
      name: 'server.key',
      data,
    });
    const message = { threadId: t.threadId, text: 'hello', attachments: [attachment] };
    expect(await t.window.client.call('thread.send', message)).toMatchObject({
      ok: false,
      error: { kind: 'conflict' },
    });
    expect(
      await t.window.must('secrets.check', { threadId: t.threadId, text: 'hello', attached: ['server.key'] }),
    ).toEqual({ kinds: ['file'] });
    await t.window.must('thread.send', { ...message, secrets: 'redact' });
    const state = await t.window.until(isIdle);
    expect(state.messages[0]).toMatchObject({ role: 'user', text: 'hello' });
    expect(state.messages[0]).not.toHaveProperty('attachments');
  });
});
