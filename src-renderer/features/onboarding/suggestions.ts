import type { Key } from '../../i18n';

/** A suggested prompt, by the keys of its title and its text. */
export interface Suggestion {
  title: Key & `onboarding.${string}Title`;
  prompt: Key & `onboarding.${string}Prompt`;
}

const list: Suggestion = { title: 'onboarding.listTitle', prompt: 'onboarding.listPrompt' };
const remember: Suggestion = { title: 'onboarding.rememberTitle', prompt: 'onboarding.rememberPrompt' };
const plan: Suggestion = { title: 'onboarding.planTitle', prompt: 'onboarding.planPrompt' };

/** Prompts that the offline assistant understands. The sample project has a failing test that the third one fixes. */
const offlineSample: Suggestion[] = [
  list,
  { title: 'onboarding.testTitle', prompt: 'onboarding.testPrompt' },
  { title: 'onboarding.fixTitle', prompt: 'onboarding.fixPrompt' },
  remember,
];
const offlineAnywhere: Suggestion[] = [list, plan, remember];
const withModel: Suggestion[] = [
  { title: 'onboarding.explainTitle', prompt: 'onboarding.explainPrompt' },
  { title: 'onboarding.testsTitle', prompt: 'onboarding.testsPrompt' },
  { title: 'onboarding.tidyTitle', prompt: 'onboarding.tidyPrompt' },
];

export const suggestionsFor = (place: { offline: boolean; sample: boolean }): Suggestion[] =>
  !place.offline ? withModel : place.sample ? offlineSample : offlineAnywhere;
