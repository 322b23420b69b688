import { describe, expect, it } from 'vitest';
import type { ApprovalMode, Rule } from '../contract/control';
import { StateBackend } from '../harness/backends';
import { createGate, type Question } from './gate';

const MACHINE = { place: '/server/', name: 'build-host', folder: '/srv/app' };
const folder = '/home/me/project';

async function judge(
  args: Record<string, unknown>,
  { mode = 'ask-risky', rules = [], machine = MACHINE, home = null }: Partial<Options> = {},
) {
  const gate = createGate({
    places: { folder, memories: '/memories' },
    backend: new StateBackend({ files: { read: () => ({}), send: () => undefined } }),
    timeoutSeconds: 9,
    shell: {
      folder,
      cwd: folder,
      home: '/home/me',
      dataDir: '/home/me/.x',
      findProgram: async (name) => `/usr/bin/${name}`,
    },
    environment: ['PATH'],
    mode: () => mode,
    rules: () => rules,
    confinement: () => ({ available: true, reason: null, wanted: true }),
    machines: () => [machine],
    home,
    rehearses: async () => true,
  });
  return gate.judge({ callId: 'c', tool: 'execute', args }, new AbortController().signal);
}
interface Options {
  mode: ApprovalMode;
  rules: Rule[];
  machine: typeof MACHINE;
  home: string | null;
}

const there = (command: string, options?: Partial<Options>) => judge({ command, place: '/server/' }, options);

async function questionOf(command: string, options?: Partial<Options>): Promise<Question> {
  const verdict = await there(command, options);
  if (verdict.verdict !== 'ask') throw new Error(verdict.verdict);
  return verdict.question;
}

const rule = (effect: 'allow' | 'deny', words: string[]): Rule => ({
  id: `${effect}-1`,
  effect,
  scope: { kind: 'person' },
  match: { kind: 'command', words, exact: false },
  createdAt: 0,
});

describe('a command for another machine', () => {
  it.each(['ask-risky', 'ask-all', 'auto-sandbox'] as const)(
    'asks in the mode %s, even if it only reads',
    async (mode) => {
      expect((await judge({ command: 'ls' }, { mode: 'ask-risky' })).verdict).toBe('allow');
      const { preview, reason, risk } = await questionOf('ls', { mode });
      expect(preview).toMatchObject({ kind: 'command', machine: 'build-host', cwd: '/srv/app' });
      expect(preview).not.toHaveProperty('parts');
      expect(preview).not.toHaveProperty('outsideSandbox');
      expect(reason[0]).toEqual({ code: 'runs_on', values: { machine: 'build-host' } });
      expect(risk).toBe('medium');
    },
  );

  it('is denied in the mode that only plans', async () => {
    expect((await there('ls', { mode: 'plan' })).verdict).toBe('deny');
  });

  it('is allowed by no rule, and forbidden by the same ones as here', async () => {
    const rules = [rule('allow', ['npm', 'test'])];
    expect((await judge({ command: 'npm test' }, { rules })).verdict).toBe('allow');
    expect((await there('npm test', { rules })).verdict).toBe('ask');
    expect((await there('npm test', { rules: [rule('deny', ['npm'])] })).verdict).toBe('deny');
  });

  it('asks again if the place leads to another machine or folder since', async () => {
    const { digest } = await questionOf('ls');
    expect((await questionOf('ls')).digest).toBe(digest);
    for (const change of [{ name: 'other-host' }, { folder: '/srv/other' }])
      expect((await questionOf('ls', { machine: { ...MACHINE, ...change } })).digest).not.toBe(digest);
  });

  it.each(['/nowhere/', 7, '/server'])('is denied for %s, which runs no commands', async (place) => {
    const verdict = await judge({ command: 'ls', place });
    expect(verdict).toMatchObject({ verdict: 'deny', reason: [{ code: 'no_such_machine' }] });
  });

  it('is one that names no place, in a project on another machine', async () => {
    const verdict = await judge({ command: 'ls' }, { home: '/server/' });
    expect(verdict).toMatchObject({ verdict: 'ask', question: { preview: { machine: 'build-host' } } });
    expect(await judge({ command: 'ls' }, { home: '/gone/' })).toMatchObject({
      verdict: 'deny',
      reason: [{ code: 'no_such_machine' }],
    });
  });
});
