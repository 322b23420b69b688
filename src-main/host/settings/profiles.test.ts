import { expect, it } from 'vitest';
import { profileFor } from './profiles';

it('applies profiles for every model, then the provider, then the model', () => {
  const profiles = {
    '*': { systemPrompt: 'all', systemPromptSuffix: 'all', excludedTools: ['a'] },
    anthropic: { systemPrompt: 'claude', toolDescriptions: { x: 'one', y: 'one' } },
    'anthropic:opus': { toolDescriptions: { y: 'two' }, excludedTools: ['b', 'a'] },
  };
  expect(profileFor(profiles, 'anthropic:opus')).toEqual({
    systemPrompt: 'claude',
    systemPromptSuffix: 'all',
    toolDescriptions: { x: 'one', y: 'two' },
    excludedTools: ['a', 'b'],
  });
  expect(profileFor(profiles, 'openai:gpt')).toEqual({
    systemPrompt: 'all',
    systemPromptSuffix: 'all',
    toolDescriptions: {},
    excludedTools: ['a'],
  });
});
