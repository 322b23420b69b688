import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { english } from '../../../src-renderer/i18n/english';
import { runCleanups } from '../../base/testing/cleanups';
import type { ApprovalMode, RuleDraft } from '../../contract/control';
import type { ThreadState } from '../../contract/conversation';
import type { CallId, ThreadId } from '../../contract/ids';
import { because } from '../../contract/shared/reasons';
import { whySkipped } from '../../harness/sandbox/testing/bubblewrap';
import { type Part, SlowModel } from '../testing/slow-model';
import { cleanups, FakeWindow, isIdle, isWaiting, setUp, startHost, WITHOUT_LAYERS } from '../testing/window';

vi.setConfig({ testTimeout: 60_000 });
const why = whySkipped === null ? '' : ` (skipped: ${whySkipped})`;

const execute = (command: string): Part => ({ name: 'execute', args: { command } });
const WRITES = `node -e "require('fs').writeFileSync('made','x')"`;
const COUNTS = 'node -p 6*7';
const isOver = (state: ThreadState) =>
  isWaiting(1)(state) || (isIdle(state) && state.messages.at(-1)?.role === 'agent');

async function inMode(mode: ApprovalMode, script: Part[][], more: Parameters<typeof setUp>[0] = {}) {
  const t = await setUp({ ...WITHOUT_LAYERS, ...more });
  if (mode !== 'ask-risky')
    await t.window.must('project.setMode', { projectId: t.projectId, mode, loosen: true });
  SlowModel.into(t.host, script);
  const made = () => existsSync(join(t.folder, 'made'));
  return { ...t, made };
}

describe.skipIf(whySkipped !== null)(
  `a read-only attempt of a command where there are no layers${why}`,
  () => {
    // For tests that differ only in their command: the start of a host takes longer than most commands.
    let shared: Awaited<ReturnType<typeof inMode>>;
    let undo: (() => unknown)[] = [];
    beforeAll(async () => {
      shared = await inMode('ask-risky', []);
      undo = cleanups.splice(0);
    });
    afterAll(async () => {
      cleanups.push(...undo);
      await runCleanups();
    });

    /** Runs one command in a new thread of the shared host, until it is over or waits for approval. */
    async function runAlone(command: string) {
      SlowModel.into(shared.host, [[execute(command)]]);
      const window = new FakeWindow(shared.host);
      const thread: { id: ThreadId } = await window.must('thread.create', { projectId: shared.projectId });
      await window.open(thread.id);
      await window.must('thread.send', { threadId: thread.id, text: 'go' });
      const { approvals } = await window.until(isOver);
      return { window, approvals };
    }

    it.each(['ask-risky', 'plan'] as const)(
      'runs without asking if it can change nothing, in %s [safety A]',
      async (mode) => {
        const t = await inMode(mode, [[execute(COUNTS)]]);
        await t.say('go');
        expect((await t.window.until(isOver)).approvals).toEqual([]);
        expect(t.window.calls[0]).toMatchObject({
          status: 'done',
          exitCode: 0,
          sandbox: { refused: [], readOnly: true },
          unasked: {
            reason: [because('in_read_only_sandbox')],
          },
        });
        expect(t.window.calls[0]?.result).toMatch(/This ran in the read-only sandbox[\s\S]*42/);
      },
    );

    it('asks if it tried to write, with its output, and runs outside after approval [safety A]', async () => {
      const t = await inMode('ask-risky', [[execute(`echo before; ${WRITES}`)]]);
      await t.say('go');
      const { approvals } = await t.window.until(isOver);
      expect(t.made()).toBe(false);
      expect(approvals[0]).toMatchObject({
        reason: expect.arrayContaining([
          because('attempt_wrote', { name: expect.stringMatching(/made$/) }),
          because('then_may_write'),
        ]),
        preview: {
          kind: 'command',
          outsideSandbox: true,
          attempt: { exitCode: 1, refused: [{ what: 'write' }], output: expect.stringContaining('before') },
        },
      });
      expect(t.window.calls[0]).toMatchObject({ status: 'waiting', terminalId: expect.any(String) });
      expect(t.window.calls[0]?.result).toBeUndefined();
      await t.window.decide(0, { type: 'approve' });
      await t.window.until(isIdle);
      expect(t.made()).toBe(true);
      expect(t.window.calls[0]).toMatchObject({ status: 'done', exitCode: 0 });
      expect(t.window.calls[0]?.sandbox).toBeUndefined();
    });

    it.each([
      'grep -rn "nobody wrote $(printf this)" .',
      'test -f nowhere.txt; [ -d "$(printf nowhere)" ]',
      'git grep --no-index "nobody wrote $(printf this)"',
    ])('accepts exit code 1 of %s as its answer without asking [safety A]', async (command) => {
      const { window, approvals } = await runAlone(command);
      expect(approvals).toEqual([]);
      expect(window.calls[0]).toMatchObject({ exitCode: 1, sandbox: { refused: [], readOnly: true } });
    });

    it.each([
      ['node -e "process.exit(3)"', 3],
      ['git status; git log "$(printf main)"', 128],
      ['ls "$(printf nowhere)"', 2],
      ['no-such-program "$(printf x)"', 127],
      ['./not-executable "$(printf x)"', 126],
      ['find . -name "nobody-*" | xargs -I{} sh -c "exit 5"; node -p "no such"', 1],
      ['node -e "1" | xargs false', 123],
    ])(
      'accepts the failure of %s as its answer if nothing was refused [safety A]',
      async (command, exitCode) => {
        writeFileSync(join(shared.folder, 'not-executable'), 'echo x');
        const { window, approvals } = await runAlone(command);
        expect(approvals).toEqual([]);
        expect(window.calls[0]).toMatchObject({ exitCode, sandbox: { refused: [], readOnly: true } });
        expect(window.calls[0]?.result).toMatch(
          /This ran in the read-only sandbox[^\n]*reach the network[^\n]*outside_sandbox/,
        );
      },
    );

    it.each([
      ['node -e "process.exit(3)" 2>/dev/null', /failed with exit code 3/],
      ['node -e "process.exit(3)" &>/dev/null', /failed with exit code 3/],
      ['node -e "process.exit(3)" >/dev/null 2>&1', /failed with exit code 3/],
      ['node -e "process.abort()"', /failed with exit code 134/],
      ['node -e "process.exit(127)"', /failed with exit code 127/],
      ['timeout 0.1 node -e "setInterval(() => 0, 1000)"', /failed with exit code 124/],
      ['node -e "os.setPriority(-20)"', /lacked a permission/],
      [`node -e "console.error('EROFS'); process.exit(1)"`, /tried to write files/],
      [`node -e "fetch('http://192.0.2.1/')"`, /could not reach 192\.0\.2\.1/],
      [`node -e "fs.readdirSync('/var/lib')"`, /\/var\/lib is hidden/],
    ])('asks about %s if the sandbox may have caused its failure [safety A]', async (command, reason) => {
      const { window, approvals } = await runAlone(command);
      expect(english.sentences(approvals[0]?.reason ?? [])).toMatch(reason);
      await window.decide(0, { type: 'reject' });
      await window.until(isIdle);
    });

    it('is refused in plan mode if it tried to write [safety A]', async () => {
      const t = await inMode('plan', [[execute(WRITES)]]);
      await t.say('go');
      expect((await t.window.until(isOver)).approvals).toEqual([]);
      expect(t.made()).toBe(false);
      expect(t.window.calls[0]).toMatchObject({
        status: 'failed',
        result: expect.stringMatching(/tried to write .*plan mode/),
      });
    });

    it('is skipped if the mode asks about every call, and if there is no sandbox [safety A]', async () => {
      for (const [mode, more] of [
        ['ask-all', {}],
        ['ask-risky', { sandbox: { kind: null, reason: because('bubblewrap_missing') } }],
      ] as const) {
        const t = await inMode(mode, [[execute(COUNTS)]], more);
        await t.say('go');
        const { approvals } = await t.window.until(isOver);
        expect(approvals[0]?.preview).not.toHaveProperty('attempt');
      }
    });

    it("is skipped if a rule may forbid what the command's words do not show [safety A]", async () => {
      const t = await inMode('ask-risky', [[execute('g=$(cat name); $g push || node -p 6*7')]]);
      const draft: RuleDraft = {
        effect: 'deny',
        match: { kind: 'command', words: ['git', 'push'], exact: false },
        scope: { kind: 'person' },
      };
      await t.window.must('rules.save', { draft });
      await t.say('go');
      expect((await t.window.until(isOver)).approvals).toHaveLength(1);
    });

    it('is not repeated when another call is decided [safety A]', async () => {
      const t = await inMode('ask-risky', [[execute(WRITES), execute('touch beside')]]);
      await t.say('go');
      const { approvals } = await t.window.until(isWaiting(2));
      const [tried] = approvals.filter(({ args }) => args.command === WRITES);
      const started = () =>
        t.window.events.filter((one) => one.type === 'tool.started' && one.callId === tried?.callId).length;
      const before = started();
      await t.window.decide(
        approvals.findIndex(({ args }) => args.command !== WRITES),
        { type: 'approve' },
      );
      const after = await t.window.until(
        (state) => isWaiting(1)(state) && existsSync(join(t.folder, 'beside')),
      );
      expect(after.approvals).toEqual([tried]);
      expect(started()).toBe(before);
    });

    it('leaves nothing behind if Deepdesk exits during it, and is repeated [safety A]', async () => {
      const waits = `node -e "require('fs').existsSync('go') ? 0 : setInterval(() => 0, 1000)"`;
      const t = await inMode('ask-risky', [[execute(waits)]]);
      await t.say('go');
      await t.window.until(() => t.window.calls[0]?.terminalId !== undefined);
      const callId = t.window.calls[0]?.callId as CallId;
      expect(t.host.storage.journal.lookup(t.threadId, callId)).toBeNull();
      await t.host.close();
      t.host.close = async () => undefined;
      writeFileSync(join(t.folder, 'go'), '');
      const host = await startHost(t.dataDir, [], WITHOUT_LAYERS);
      cleanups.push(() => host.close());
      SlowModel.into(host, [['done']]);
      const window = new FakeWindow(host);
      await window.open(t.threadId);
      await window.must('thread.retry', { threadId: t.threadId });
      expect((await window.until(isOver)).approvals).toEqual([]);
      expect(window.calls[0]).toMatchObject({ status: 'done', sandbox: { readOnly: true } });
    });
  },
);
