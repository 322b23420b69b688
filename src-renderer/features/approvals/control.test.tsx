import type { Project } from '@contract/app';
import { Rule, type RulePreview } from '@contract/control';
import { ProjectId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { optional } from '@contract/shared/optional';
import { because } from '@contract/shared/reasons';
import type { SandboxState } from '@contract/shared/sandbox';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { onIntent, ProjectChoice, useApp, usePort } from '../../link';
import { type Answers, panelHost } from '../../testing/panel-host';
import { sampleProject } from '../../testing/samples';
import { ModeSwitch, tightenMode } from './mode-switch';
import { RulesSection } from './rules/rules-section';
import { joinWords, splitWords } from './words';

const project = (mode?: Project['mode']) => sampleProject({ ...optional({ mode }) });
const npm = Rule.parse({
  id: 'r1',
  createdAt: 1,
  effect: 'allow',
  match: { kind: 'command', words: ['npm', 'test'], exact: false },
  scope: { kind: 'project', projectId: 'p1' },
});
const nothing: RulePreview = { refused: null, checked: 3, covered: [], coveredCalls: 0, nearMiss: null };

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const Bar = () => {
  const shown = useApp((app) => app.projects[0]);
  return shown ? <ModeSwitch project={shown} shortcut="Ctrl+Shift+L" /> : null;
};
const Gate = ({ part }: { part: 'mode' | 'rules' }) => {
  if (usePort().phase !== 'ready') return null;
  return part === 'mode' ? (
    <Bar />
  ) : (
    <ProjectChoice first={ProjectId.parse('p1')}>
      <RulesSection />
    </ProjectChoice>
  );
};
function open(
  part: 'mode' | 'rules',
  answers: Answers,
  mode?: Project['mode'],
  sandbox: SandboxState | null = null,
) {
  const host = panelHost({ projects: [project(mode)], rules: [npm], sandbox }, answers);
  stop = host.stop;
  render(<Gate part={part} />);
  return host;
}

describe("a project's mode", () => {
  const choose = async (name: RegExp) => {
    const trigger = await screen.findByRole('button', { name: /^Approval mode/ });
    fireEvent.keyDown(trigger, { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitemcheckbox', { name }));
  };
  const asked = (mode: string, loosen: boolean) => ({ projectId: 'p1', mode, loosen });

  it('is visible, and can be tightened with one choice', async () => {
    const host = open('mode', { 'project.setMode': () => ok({}) });
    expect(await screen.findByRole('button', { name: 'Approval mode: Ask before changes' })).toBeTruthy();
    await choose(/^Plan only/);
    await waitFor(() => expect(host.asked('project.setMode')).toEqual([asked('plan', false)]));
  });

  it('leaves the confirmation of a looser mode to the main process', async () => {
    const host = open('mode', { 'project.setMode': () => ok({}) }, 'plan');
    await choose(/^Ask before changes/);
    await waitFor(() => expect(host.asked('project.setMode')).toEqual([asked('ask-risky', true)]));
  });

  it('offers the sandbox mode only with a sandbox, and says why otherwise', async () => {
    const sandbox = { kind: null, reason: because('bubblewrap_missing'), noHosts: null };
    const host = open('mode', { 'project.setMode': () => ok({}) }, 'ask-all', sandbox);
    const trigger = await screen.findByRole('button', { name: /^Approval mode/ });
    fireEvent.keyDown(trigger, { key: 'Enter' });
    const item = await screen.findByRole('menuitem', { name: /^Auto in the sandbox/ });
    expect(item.getAttribute('aria-disabled')).toBe('true');
    expect(item.textContent).toContain('bubblewrap is not installed.');
    fireEvent.click(item);
    cleanup();
    stop();
    const there = { kind: 'bubblewrap' as const, reason: null, noHosts: null };
    const second = open('mode', { 'project.setMode': () => ok({}) }, 'ask-all', there);
    await choose(/^Auto in the sandbox/);
    await waitFor(() => expect(second.asked('project.setMode')).toEqual([asked('auto-sandbox', true)]));
    expect(host.asked('project.setMode')).toEqual([]);
  });

  it('is tightened by one step with the shortcut, up to the strictest mode', async () => {
    const host = open('mode', { 'project.setMode': () => ok({}) });
    await screen.findByRole('button', { name: /^Approval mode/ });
    await tightenMode(project('auto-sandbox'));
    await tightenMode(project());
    await tightenMode(project('ask-all'));
    await tightenMode(project('plan'));
    expect(host.asked('project.setMode')).toEqual([
      asked('ask-risky', false),
      asked('ask-all', false),
      asked('plan', false),
    ]);
  });
});

describe('the rules page', () => {
  it('lists each rule with its scope, and revokes it', async () => {
    const host = open('rules', { 'rules.remove': () => ok({}) });
    const row = await screen.findByRole('listitem', { name: 'npm test …' });
    expect(row.textContent).toBe('Allownpm test …in my-apiShow calls it allowedChange…');
    const intents: unknown[] = [];
    const undo = onIntent((intent) => intents.push(intent));
    fireEvent.click(within(row).getByRole('button', { name: 'Show calls it allowed' }));
    undo();
    expect(intents).toEqual([
      { type: 'openActivity', place: { projectId: null, threadId: null, ruleId: 'r1' } },
    ]);
    fireEvent.keyDown(within(row).getByRole('button', { name: /^More actions/ }), { key: 'Enter' });
    fireEvent.click(screen.getByRole('menuitem', { name: 'Revoke' }));
    await waitFor(() => expect(host.asked('rules.remove')).toEqual([{ id: 'r1' }]));
  });

  it('shows the verdict on a command', async () => {
    open('rules', {
      'rules.test': ({ command }) =>
        ok({
          verdict: 'allow',
          reason: [because('allowed_by_rule', { rule: command })],
          risk: 'low',
          parts: [],
          rules: [npm],
          mode: 'auto-sandbox',
          confined: true,
        }),
    });
    fireEvent.change(await screen.findByLabelText('Try a command'), { target: { value: 'npm test' } });
    fireEvent.click(screen.getByRole('button', { name: 'Try' }));
    expect((await screen.findByText('Runs')).closest('[role=status]')?.textContent).toBe(
      'RunsAllowed by your rule "npm test".In this project\'s mode: Auto in the sandbox. It runs in the sandbox.By the rule npm test …',
    );
  });

  it('shows no verdict on a command that was tried before the present one', async () => {
    const answers = new Map<string, () => void>();
    open('rules', {
      'rules.test': async ({ command }) => {
        await new Promise<void>((done) => answers.set(command, done));
        const verdict = command === 'ls' ? 'allow' : 'ask';
        return ok({ verdict, reason: [], risk: 'low', parts: [], rules: [], mode: 'ask-risky' });
      },
    });
    const field = await screen.findByLabelText('Try a command');
    for (const value of ['ls', 'rm -rf src']) {
      fireEvent.change(field, { target: { value } });
      fireEvent.click(screen.getByRole('button', { name: 'Try' }));
      await waitFor(() => expect(answers.has(value)).toBe(true));
    }
    answers.get('rm -rf src')?.();
    await screen.findByText('Needs approval');
    await act(async () => answers.get('ls')?.());
    expect(screen.queryByText('Runs')).toBeNull();
  });

  it('checks the command again when the rules change', async () => {
    let verdict: 'ask' | 'allow' = 'ask';
    const host = open('rules', {
      'rules.test': ({ command }) =>
        ok({
          verdict,
          reason: [because('allowed_by_rule', { rule: command })],
          risk: 'low',
          parts: [],
          rules: [],
          mode: 'ask-risky',
        }),
    });
    fireEvent.change(await screen.findByLabelText('Try a command'), { target: { value: 'npm test' } });
    fireEvent.click(screen.getByRole('button', { name: 'Try' }));
    await screen.findByText('Needs approval');
    verdict = 'allow';
    host.emit({ type: 'rules.changed', rules: [npm, { ...npm, id: 'r2' }] });
    await screen.findByText('Runs');
    expect(screen.queryByText('Needs approval')).toBeNull();
  });

  it('narrows a rule in place, after showing what the narrower one means', async () => {
    const host = open('rules', {
      'rules.preview': () => ok(nothing),
      'rules.save': ({ draft }) => ok(Rule.parse({ ...draft, id: 'r2', createdAt: 2 })),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Change…' }));
    fireEvent.change(screen.getByLabelText('Command'), { target: { value: 'npm test -- "a b"' } });
    fireEvent.click(screen.getByRole('checkbox', { name: 'Exact command only' }));
    await screen.findByText(/none of the last 3 calls/);
    fireEvent.click(screen.getByRole('button', { name: 'Save rule' }));
    const match = { kind: 'command', words: ['npm', 'test', '--', 'a b'], exact: true };
    await waitFor(() =>
      expect(host.asked('rules.save')).toEqual([
        { draft: { effect: 'allow', match, scope: npm.scope }, replaces: 'r1' },
      ]),
    );
  });

  it('does not save a rule that is refused', async () => {
    const host = open('rules', {
      'rules.preview': () => ok({ ...nothing, refused: because('rule_deletes') }),
      'rules.save': () => fail('denied', 'external', { text: 'no' }),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Add rule' }));
    fireEvent.change(screen.getByLabelText('Command'), { target: { value: 'rm' } });
    const field = screen.getByLabelText('Command');
    const alert = await screen.findByText(/^Every deletion needs approval/);
    expect([field.getAttribute('aria-describedby'), field.getAttribute('aria-invalid')]).toEqual([
      alert.id,
      'true',
    ]);
    expect(screen.getByRole('button', { name: 'Save rule' })).toHaveProperty('disabled', true);
    expect(host.asked('rules.save')).toEqual([]);
  });

  it('shows no error about a text that is gone', async () => {
    open('rules', { 'rules.preview': () => fail('invalid', 'external', { text: 'No such tool.' }) });
    fireEvent.click(await screen.findByRole('button', { name: 'Add rule' }));
    fireEvent.change(screen.getByLabelText('Command'), { target: { value: 'rm' } });
    await screen.findByText('No such tool.');
    fireEvent.change(screen.getByLabelText('Command'), { target: { value: '' } });
    expect(screen.queryByText('No such tool.')).toBeNull();
  });
});

it('splits typed words as a shell does, and joins them again', () => {
  expect(splitWords(`git commit -m "two words" 'x y' a\\"b`)).toEqual([
    'git',
    'commit',
    '-m',
    'two words',
    'x y',
    'a\\"b',
  ]);
  expect(splitWords(joinWords(['a', 'b c', 'd"e']))).toEqual(['a', 'b c', 'd"e']);
});
