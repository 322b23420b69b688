import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { englishForModel } from '../../../src-renderer/i18n/english';
import type { WaitingDecision } from '../../contract/activity';
import type { TerminalInfo } from '../../contract/app';
import type { Approval } from '../../contract/approvals';
import type { Output } from '../../contract/commands';
import type { Rerun } from '../../contract/commands/terminal';
import type { ApprovalMode, RuleDraft } from '../../contract/control';
import type { ThreadState } from '../../contract/conversation';
import type { ApprovalId, ThreadId } from '../../contract/ids';
import type { McpServers } from '../../contract/mcp';
import { because } from '../../contract/shared/reasons';
import { type Part, SlowModel } from '../testing/slow-model';
import { FakeWindow, isIdle, isWaiting, setUp } from '../testing/window';

vi.setConfig({ testTimeout: 60_000 });
const isPosix = process.platform !== 'win32';
const NO_SANDBOX = { sandbox: { kind: null, reason: because('bubblewrap_missing') } } as const;
const TRIAL = join(import.meta.dirname, '../../../e2e/support/mcp-server.mjs');

type Args = Record<string, unknown>;
/** What the person sees of a call, wherever they check. */
interface Told {
  verdict: 'allow' | 'ask' | 'deny';
  reason: string;
  risk?: string;
  preview?: unknown;
}

const asked = ({ reason, risk, preview }: Pick<Approval, 'reason' | 'risk' | 'preview'>): Told => ({
  verdict: 'ask',
  reason: englishForModel.sentences(reason),
  risk,
  preview,
});

async function inThread(script: (folder: string) => Part[][]) {
  const t = await setUp(NO_SANDBOX);
  writeFileSync(join(t.folder, 'a.txt'), 'one\ntwo\n');
  writeFileSync(join(t.folder, '.env'), 'KEY=hunter2');
  writeFileSync(join(t.folder, 'package.json'), '{"scripts":{"test":"echo tests"}}');
  mkdirSync(join(t.folder, '.git'));
  symlinkSync('.env', join(t.folder, 'notes.txt'));
  SlowModel.into(t.host, script(t.folder));
  const check = async (id: ApprovalId | undefined, threadId: ThreadId, args: Args): Promise<Told> => {
    const said: Output<'approval.check'> = await t.window.must('approval.check', {
      threadId,
      approvalId: id ?? '',
      args,
    });
    // A call without approval has nothing to show.
    return said.verdict === 'ask'
      ? { ...said, reason: englishForModel.sentences(said.reason) }
      : { verdict: said.verdict, reason: englishForModel.sentences(said.reason) };
  };
  /** A turn waits five seconds for servers, and then starts without those that are still starting. */
  const startServer = async () => {
    const mcpServers = { trial: { command: process.execPath, args: [TRIAL, 'stdio'] } };
    writeFileSync(join(t.dataDir, 'mcp.json'), JSON.stringify({ mcpServers }));
    await vi.waitFor(async () => {
      const { servers }: McpServers = await t.window.must('mcp.list', { projectId: t.projectId });
      expect(servers.map(({ state }) => state.phase)).toEqual(['ready']);
    }, 20_000);
  };
  const inbox = async (): Promise<Told[]> => {
    const { waiting }: { waiting: WaitingDecision[] } = await t.window.must('inbox.list', {});
    return waiting.map(({ approval }) => asked(approval));
  };
  return { ...t, check, inbox, startServer };
}

const reasonOf = (again: Rerun) => ('reason' in again ? englishForModel.sentences(again.reason) : '');

describe('the call gate', () => {
  const onFiles: [string, (folder: string) => { name: string; args: Args }][] = [
    ['a command', () => ({ name: 'execute', args: { command: 'touch x' } })],
    ['a script', () => ({ name: 'execute', args: { command: 'npm test', timeout: 7 } })],
    ['a job', () => ({ name: 'execute', args: { command: 'npm test', background: true } })],
    ['a secret that is read', (f) => ({ name: 'read_file', args: { file_path: `${f}/.env` } })],
    ['a secret behind a link', (f) => ({ name: 'read_file', args: { file_path: `${f}/notes.txt` } })],
    ['a search of a secret', (f) => ({ name: 'grep', args: { pattern: 'K', path: `${f}/.env` } })],
    [
      'a protected path',
      (f) => ({ name: 'write_file', args: { file_path: `${f}/.git/config`, content: 'x' } }),
    ],
    ['a new file', (f) => ({ name: 'write_file', args: { file_path: `${f}/new.txt`, content: 'x' } })],
    ['a deletion', (f) => ({ name: 'delete', args: { file_path: `${f}/a.txt` } })],
    ['a tool of a server', () => ({ name: 'trial__echo', args: { text: 'hi' } })],
  ];

  it.runIf(isPosix).each(onFiles)(
    'asks the same about %s in the run, the inbox and the preview [safety 12]',
    async (_what, call) => {
      const t = await inThread((folder) => [[call(folder)]]);
      if (call(t.folder).name.startsWith('trial__')) await t.startServer();
      await t.say('go');
      const { approvals } = await t.window.until(isWaiting(1));
      const [approval] = approvals;
      if (approval === undefined) throw new Error('Nothing waits.');
      expect(await t.inbox()).toEqual([asked(approval)]);
      expect(await t.check(approval.id, t.threadId, call(t.folder).args)).toEqual(asked(approval));
    },
  );

  const command = (effect: RuleDraft['effect'], ...words: string[]): RuleDraft => ({
    effect,
    match: { kind: 'command', words, exact: false },
    scope: { kind: 'person' },
  });
  const situations: [string, { mode?: ApprovalMode; rules?: RuleDraft[]; line?: string }, Told['verdict']][] =
    [
      ['no rule', {}, 'ask'],
      ['a rule that allows it', { rules: [command('allow', 'touch')] }, 'allow'],
      ['a rule that forbids it', { rules: [command('deny', 'touch')] }, 'deny'],
      ['both rules', { rules: [command('allow', 'touch'), command('deny', 'touch')] }, 'deny'],
      ['plan mode', { mode: 'plan', rules: [command('allow', 'touch')] }, 'deny'],
      ['ask before everything', { mode: 'ask-all', line: 'cat a.txt' }, 'ask'],
      ['reading only', { line: 'cat a.txt' }, 'allow'],
      ['a secret in a command', { line: 'cat .env' }, 'ask'],
    ];

  it.runIf(isPosix).each(situations)(
    'judges a command with %s alike in the run, the preview, the rerun and the trial [safety 12]',
    async (_what, { mode, rules = [], line = 'touch made' }, expected) => {
      const call = { name: 'execute', args: { command: line } };
      const other = { name: 'execute', args: { command: 'touch other' } };
      const t = await inThread(() => [[call], ['done'], [other], [call], ['done']]);
      await t.window.must('app.open', {});
      // It ran once, so it can be rerun.
      await t.say('first');
      const state = await t.window.until((now) => isWaiting(1)(now) || isIdle(now));
      if (isWaiting(1)(state)) await t.window.decide(0, { type: 'approve' });
      await t.window.until(isIdle);
      const terminals = t.window.events.flatMap((event): TerminalInfo[] =>
        event.type === 'terminal.changed' ? [event.terminal] : [],
      );
      // A pending call of another thread, whose card has the input field.
      const elsewhere = new FakeWindow(t.host);
      const second: { id: ThreadId } = await elsewhere.must('thread.create', { projectId: t.projectId });
      await elsewhere.open(second.id);
      await elsewhere.must('thread.send', { threadId: second.id, text: 'go' });
      const { approvals } = await elsewhere.until(isWaiting(1));

      for (const draft of rules) await t.window.must('rules.save', { draft });
      if (mode !== undefined)
        await t.window.must('project.setMode', { projectId: t.projectId, mode, loosen: true });
      const calls = t.window.calls.length;
      await t.say('again');
      const settled = await t.window.until(
        (now: ThreadState) =>
          isWaiting(1)(now) || (isIdle(now) && t.window.calls.length > calls && t.window.lastAnswer !== ''),
      );
      const [waits] = settled.approvals;
      const ran = t.window.calls.at(-1);
      const run: Told =
        waits !== undefined
          ? asked(waits)
          : ran?.unasked !== undefined
            ? { verdict: 'allow', reason: englishForModel.sentences(ran.unasked.reason) }
            : { verdict: 'deny', reason: ran?.result?.replace('Error: ', '') ?? '' };
      expect(run.verdict).toBe(expected);
      expect(await t.check(approvals[0]?.id, second.id, call.args)).toEqual(run);
      const again: Rerun = await t.window.must('terminal.rerun', { terminalId: terminals[0]?.id ?? '' });
      expect(again).toMatchObject(
        run.verdict === 'ask'
          ? { status: 'ask', risk: run.risk }
          : run.verdict === 'deny'
            ? { status: 'denied' }
            : { status: 'started' },
      );
      if (run.verdict !== 'allow') expect(reasonOf(again)).toBe(run.reason);
      const tried: Told = await t.window.must('rules.test', { projectId: t.projectId, command: line });
      expect(tried.verdict).toBe(run.verdict);
    },
  );
});
