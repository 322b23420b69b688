import { fail, ok } from '@contract/result';
import type { ProfilesState } from '@contract/shared/profile';
import type { ModelFacts } from '@contract/usage';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { type SettingsSection, usePort } from '../../link';
import { type Answers, panelHost } from '../../testing/panel-host';
import { SettingsDialog } from './settings-dialog';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const Gate = ({ section }: { section: SettingsSection }) =>
  usePort().phase === 'ready' ? (
    <SettingsDialog section={section} onSection={() => {}} mcp={null} projectId={null} />
  ) : null;

const FACTS: ModelFacts = {
  contextWindow: 200_000,
  maxOutput: 64_000,
  abilities: null,
  price: {
    input: 3_000_000,
    output: 15_000_000,
    cacheRead: 300_000,
    cacheWrite: 3_750_000,
    asOf: '2026-01-01',
  },
};
const SETTINGS = {
  theme: 'light',
  language: 'en',
  model: 'anthropic:claude',
  onboarded: true,
  spending: { thread: 5_000_000, day: null },
  fallbacks: [],
} as const;

function open(section: SettingsSection, answers: Answers, overrides = {}) {
  const host = panelHost(
    {
      settings: { ...SETTINGS, fallbacks: [] },
      models: { providers: [], keychain: true, overrides },
    },
    { 'models.facts': () => ok({ builtIn: FACTS }), ...answers },
  );
  stop = host.stop;
  render(<Gate section={section} />);
  return host;
}
const write = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

describe('spending', () => {
  it('accepts limits in dollars, and refuses other text', async () => {
    const host = open('spending', { 'settings.change': () => ok({ ...SETTINGS, fallbacks: [] }) });
    const form = await screen.findByRole('form', { name: 'Spending limits' });
    const field = screen.getByLabelText<HTMLInputElement>('Per thread, in dollars');
    expect(field.value).toBe('5');
    write('Per day, in dollars', 'a lot');
    fireEvent.submit(form);
    expect(await screen.findByText(/This isn't an amount/)).toBeTruthy();
    write('Per thread, in dollars', '');
    write('Per day, in dollars', '2.50');
    fireEvent.submit(form);
    await waitFor(() =>
      expect(host.asked('settings.change')).toEqual([{ spending: { thread: null, day: 2_500_000 } }]),
    );
  });

  it('applies limits when the focus leaves them, or when the page closes, and not before', async () => {
    const host = open('spending', { 'settings.change': () => ok({ ...SETTINGS, fallbacks: [] }) });
    const form = await screen.findByRole('form', { name: 'Spending limits' });
    const [thread, day] = ['Per thread, in dollars', 'Per day, in dollars'].map((name) =>
      screen.getByLabelText(name),
    );
    write('Per thread, in dollars', '7');
    fireEvent.blur(thread as Element, { relatedTarget: day });
    expect(host.asked('settings.change')).toEqual([]);
    fireEvent.blur(day as Element, { relatedTarget: document.body });
    await waitFor(() => expect(host.asked('settings.change')).toHaveLength(1));
    expect(form.querySelector('button:not([hidden])')).toBeNull();
    write('provider:name, one per line', 'openai:gpt-4.1');
    cleanup();
    await waitFor(() =>
      expect(host.asked('settings.change')).toContainEqual({ fallbacks: ['openai:gpt-4.1'] }),
    );
  });

  it('accepts fallback models by name', async () => {
    const host = open('spending', { 'settings.change': () => ok({ ...SETTINGS, fallbacks: [] }) });
    const form = await screen.findByRole('form', { name: 'Fallback models' });
    write('provider:name, one per line', 'gpt');
    fireEvent.submit(form);
    expect(await screen.findByText(/“gpt” isn't a model/)).toBeTruthy();
    write('provider:name, one per line', ' openai:gpt-4.1 \n\nollama:llama3.1:8b');
    fireEvent.submit(form);
    await waitFor(() =>
      expect(host.asked('settings.change')).toEqual([
        { fallbacks: ['openai:gpt-4.1', 'ollama:llama3.1:8b'] },
      ]),
    );
  });

  it('stores only the changed model facts', async () => {
    const host = open('spending', { 'models.override': () => ok({}) });
    await screen.findByLabelText('Context window, in tokens');
    write('Context window, in tokens', '100 000');
    fireEvent.blur(screen.getByLabelText('Context window, in tokens'));
    await waitFor(() =>
      expect(host.asked('models.override')).toEqual([
        { model: 'anthropic:claude', override: { contextWindow: 100_000 } },
      ]),
    );
  });

  it('says at which field of the model facts something is wrong', async () => {
    const host = open('spending', { 'models.override': () => ok({}) });
    const limit = await screen.findByLabelText('Maximum output, in tokens');
    write('Maximum output, in tokens', 'many');
    fireEvent.blur(limit);
    const alert = await screen.findByRole('alert');
    expect([limit.getAttribute('aria-invalid'), limit.getAttribute('aria-describedby')]).toEqual([
      'true',
      alert.id,
    ]);
    write('Maximum output, in tokens', '1000');
    write('Output', '');
    fireEvent.blur(limit);
    const output = screen.getByLabelText('Output');
    await waitFor(() => expect(output.getAttribute('aria-invalid')).toBe('true'));
    expect(limit.getAttribute('aria-invalid')).toBe('false');
    expect(host.asked('models.override')).toEqual([]);
  });

  it('undoes what was entered', async () => {
    const host = open(
      'spending',
      { 'models.override': () => ok({}) },
      { 'anthropic:claude': { contextWindow: 100_000, price: null } },
    );
    const window = await screen.findByLabelText<HTMLInputElement>('Context window, in tokens');
    const input = screen.getByLabelText<HTMLInputElement>('Input, dollars per million tokens');
    expect([window.value, input.value]).toEqual(['100000', '']);
    fireEvent.click(screen.getByRole('button', { name: 'Reset to default' }));
    await waitFor(() =>
      expect(host.asked('models.override')).toEqual([{ model: 'anthropic:claude', override: null }]),
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(host.asked('models.override').at(-1)).toEqual({
        model: 'anthropic:claude',
        override: { contextWindow: 100_000, price: null },
      }),
    );
  });
});

describe('instructions', () => {
  const state = (profiles: ProfilesState['profiles']): ProfilesState => ({
    profiles,
    builtIn: {
      systemPrompt: 'Built in.',
      tools: [
        { name: 'read_file', description: 'Reads.', required: true },
        { name: 'glob', description: 'Finds.', required: false },
      ],
    },
  });

  it('changes the prompt and the tools for the chosen scope, and nothing else', async () => {
    let profiles: ProfilesState['profiles'] = {};
    const host = open('instructions', {
      'profiles.read': () => ok(state(profiles)),
      'profiles.change': ({ scope, profile }) => {
        profiles = { [scope]: profile ?? {} };
        return ok({});
      },
    });
    fireEvent.change(await screen.findByLabelText('Applies to'), { target: { value: 'anthropic:claude' } });
    write('System prompt', 'My own.');
    fireEvent.click(screen.getByLabelText('glob'));
    // A choice applies immediately, and a text when the focus leaves the form.
    await screen.findByRole('button', { name: 'Reset all' });
    fireEvent.click(screen.getByRole('button', { name: 'Change the description of read_file' }));
    write('Description of read_file', 'Reads well.');
    fireEvent.blur(screen.getByLabelText('Description of read_file'));
    const systemPrompt = 'My own.';
    const scope = 'anthropic:claude';
    await waitFor(() =>
      expect(host.asked('profiles.change')).toEqual([
        { scope, profile: { systemPrompt, excludedTools: ['glob'] } },
        {
          scope,
          profile: {
            systemPrompt,
            toolDescriptions: { read_file: 'Reads well.' },
            excludedTools: ['glob'],
          },
        },
      ]),
    );
    expect(screen.getByLabelText<HTMLInputElement>('read_file').disabled).toBe(true);
  });

  it('resets to the built-in prompt', async () => {
    const host = open('instructions', {
      'profiles.read': () => ok(state({ '*': { systemPrompt: 'My own.' } })),
      'profiles.change': () => ok({}),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Reset to built-in prompt' }));
    await waitFor(() => expect(host.asked('profiles.change')).toEqual([{ scope: '*', profile: null }]));
  });

  it('says why a change was refused', async () => {
    open('instructions', {
      'profiles.read': () => ok(state({})),
      'profiles.change': () => fail('invalid', 'external', { text: 'There is no such tool.' }),
    });
    fireEvent.click(await screen.findByLabelText('glob'));
    expect(await screen.findByText('There is no such tool.')).toBeTruthy();
  });
});
