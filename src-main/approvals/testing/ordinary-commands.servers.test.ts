import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { english } from '../../../src-renderer/i18n/english';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { Decision } from '../../contract/approvals';
import type { ApprovalMode } from '../../contract/control';
import type { ToolCall } from '../../contract/conversation';
import type { ThreadId } from '../../contract/ids';
import { folderForTest, skippedNote, whySkipped } from '../../harness/sandbox/testing/bubblewrap';
import { SlowModel } from '../../host/testing/slow-model';
import { cleanups, FakeWindow, isIdle, startHost, temp } from '../../host/testing/window';
import { commandsIn, type FoundCommand } from '../bash/commands/walk';
import { CHANGING_COMMANDS } from './changing-commands';
import { ORDINARY_COMMANDS } from './ordinary-commands';
import { makeOrdinaryProject } from './ordinary-project';

// It takes about 18 seconds of processor time, which can mean minutes on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

/** Number of commands that run in parallel. */
const CONCURRENCY = 8;
const MAX_SHARE = 0.05;
/** Of both lists, on a machine that lacks some of their programs. */
const MIN_COMMANDS = 200;
const PARTS = 3;
/** In the mode that asks least. */
const MAX_SHARE_IN_AUTO = 0.01;
const REJECT: Decision = { type: 'reject' };

/** Only system programs: neither those that npm adds for its scripts nor those of the person who runs the tests. */
const systemPath = () =>
  (process.env.PATH ?? '')
    .split(':')
    .filter((place) => !place.endsWith('/node_modules/.bin') && !place.startsWith(`${userInfo().homedir}/`))
    .join(':');

/** The commands whose programs exist on this machine, or in the project for `npx`. */
function whoseProgramsAreThere(
  folder: string,
  home: string,
  path: string,
  lines: readonly string[] = ORDINARY_COMMANDS,
): string[] {
  const isThere = new Map<string, boolean>();
  const has = ({ name, rest }: FoundCommand): boolean => {
    if (name === '') return true;
    if (name === 'npx') return existsSync(join(folder, 'node_modules/.bin', rest[0]?.value ?? ''));
    const known = isThere.get(name) ?? isFoundByBash(name, path);
    isThere.set(name, known);
    return known;
  };
  return lines.filter((line) => [...commandsIn(line, { cwd: folder, home })].every(has));
}

/** Includes Bash builtins. Has no input: with a socket there, bash reads the start files of the person who runs the tests. */
const isFoundByBash = (name: string, path: string): boolean =>
  spawnSync('/bin/bash', ['--norc', '-c', 'command -v -- "$1"', 'bash', name], {
    env: { PATH: path },
    stdio: 'ignore',
  }).status === 0;

/**
 * Makes an agent call every command, a few at a time, and rejects every question. Returns the calls and those that asked.
 */
async function callAll(
  commands: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
  mode: ApprovalMode = 'ask-risky',
) {
  const host = await startHost(temp('data'), [], { env });
  cleanups.push(() => host.close());
  const project = await host.projects.open(folder);
  if (!project.ok) throw new Error(inEnglish(project.error));
  const window = new FakeWindow(host);
  // The sandbox is detected in the background.
  expect(await window.must('sandbox.read', {})).toMatchObject({ kind: 'bubblewrap' });
  const projectId = project.value.id;
  if (mode !== 'ask-risky') await window.must('project.setMode', { projectId, mode, loosen: true });
  const layers: { reason: string | null } = await window.must('rehearsal.available', { projectId });
  const thread: { id: ThreadId } = await window.must('thread.create', { projectId });
  await window.open(thread.id);
  const calls = commands.map((command) => ({ name: 'execute', args: { command } }));
  const batches = Array.from({ length: Math.ceil(calls.length / CONCURRENCY) }, (_, index) =>
    calls.slice(index * CONCURRENCY, (index + 1) * CONCURRENCY),
  );
  SlowModel.into(host, [...batches, ['done']]);
  await window.must('thread.send', { threadId: thread.id, text: 'go' });
  const asked = new Map<string, string>();
  /** Asked about before they ran. */
  const before: string[] = [];
  for (;;) {
    const state = await window.until((now) =>
      isIdle(now)
        ? now.messages.at(-1)?.role === 'agent'
        : now.turn.phase === 'waiting' && now.approvals.length > 0,
    );
    if (isIdle(state)) return { calls: window.calls, asked, before, hasLayers: layers.reason === null };
    for (const { args, reason, outcome } of state.approvals) {
      asked.set(String(args.command), english.sentences(reason));
      if (outcome === undefined) before.push(String(args.command));
    }
    while ((window.state?.approvals.length ?? 0) > 0) {
      const { length } = window.state?.approvals ?? [];
      await window.decide(0, REJECT);
      await window.until(({ approvals }) => approvals.length < length);
    }
  }
}

const commandOf = ({ args }: ToolCall) => String(args.command);

function newFolder(): { home: string; folder: string; env: NodeJS.ProcessEnv; path: string } {
  const base = folderForTest();
  cleanups.push(() => rmSync(base, { recursive: true, force: true }));
  const home = join(base, 'home');
  const folder = join(home, 'project');
  mkdirSync(folder, { recursive: true });
  const path = systemPath();
  return { home, folder, path, env: { ...process.env, PATH: path, HOME: home } };
}

it('knows 200 or more ordinary commands that only read, each once', () => {
  expect(new Set(ORDINARY_COMMANDS).size).toBe(ORDINARY_COMMANDS.length);
  expect(ORDINARY_COMMANDS.length).toBeGreaterThanOrEqual(MIN_COMMANDS);
  expect(ORDINARY_COMMANDS.filter((line) => CHANGING_COMMANDS.includes(line))).toEqual([]);
});

describe.skipIf(whySkipped !== null)(`ordinary commands that only read${skippedNote}`, () => {
  // One thread runs its layers one after another, so each part has a thread of its own.
  it.each([0, 1, 2])(
    'ask in at most 5 % of cases when they actually run, part %i [safety A]',
    async (part) => {
      const { home, folder, path, env } = newFolder();
      makeOrdinaryProject(folder, home);
      const there = whoseProgramsAreThere(folder, home, path);
      const commands = there.filter((_, index) => index % PARTS === part);
      const { calls, asked } = await callAll(commands, folder, env);
      const failed = calls.filter((call) => !asked.has(commandOf(call)) && call.exitCode !== 0);
      const questions = [...asked].map(([line, reason]) => `  ${line}\n    ${reason}`).join('\n');
      const failures = failed.map((call) => `${commandOf(call)} (${call.exitCode})`).join(' · ');
      expect(calls.map(commandOf)).toEqual(commands);
      expect(asked.size / commands.length, questions).toBeLessThanOrEqual(MAX_SHARE);
      // The project contains everything that they name, and nothing is reported as refused or changed.
      expect(failed.length / commands.length, failures).toBeLessThanOrEqual(MAX_SHARE);
      const troubled = calls.filter(
        (call) =>
          !asked.has(commandOf(call)) &&
          call.rehearsal?.state !== 'unchanged' &&
          (call.sandbox?.refused.length !== 0 || call.sandbox.changed),
      );
      expect(troubled).toEqual([]);
    },
  );

  const inAuto = { count: 0, questions: [] as string[] };
  it.each([0, 1, 2])('run in the sandbox mode with those that change files, part %i', async (part) => {
    const { home, folder, path, env } = newFolder();
    makeOrdinaryProject(folder, home);
    const all = [...ORDINARY_COMMANDS, ...CHANGING_COMMANDS];
    const there = whoseProgramsAreThere(folder, home, path, all);
    const commands = there.filter((_, index) => index % PARTS === part);
    const { calls, asked } = await callAll(commands, folder, env, 'auto-sandbox');
    expect(calls.map(commandOf)).toEqual(commands);
    inAuto.questions.push(...[...asked].map(([line, reason]) => `  ${line}\n    ${reason}`));
    inAuto.count += commands.length;
  });

  it('ask there in at most 1 % of cases', () => {
    const { count, questions } = inAuto;
    expect(count).toBeGreaterThanOrEqual(MIN_COMMANDS);
    expect(questions.length / count, questions.join('\n')).toBeLessThanOrEqual(MAX_SHARE_IN_AUTO);
  });

  it('are followed by commands that change files, none of which asks before it ran in a layer', async () => {
    const { home, folder, path, env } = newFolder();
    makeOrdinaryProject(folder, home);
    const commands = whoseProgramsAreThere(folder, home, path, CHANGING_COMMANDS);
    const { before, hasLayers } = await callAll(commands, folder, env);
    if (hasLayers) expect(before).toEqual([]);
    else expect(before).not.toEqual([]);
  });

  it('never ask if the folder is not a repository and has nothing that they name [safety A]', async () => {
    const { folder, env } = newFolder();
    const commands = [
      'git status',
      'git log',
      'git diff',
      'git show HEAD',
      'npm ls',
      'jq . package.json',
      'ls *.ts',
    ];
    const { calls, asked } = await callAll(commands, folder, env);
    expect([...asked.keys()]).toEqual([]);
    expect(calls.map(({ exitCode }) => exitCode)).toEqual([128, 128, 129, 128, 0, 2, 2]);
  });
});
