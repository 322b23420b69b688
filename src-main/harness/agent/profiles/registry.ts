import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { modelNameOf, providerOf } from '../model-names';
import {
  createHarnessProfile,
  EMPTY_HARNESS_PROFILE,
  type HarnessProfile,
  type HarnessProfileOptions,
  mergeProfiles,
} from './profile';

const profiles = new Map<string, HarnessProfile>();

/**
 * Registers a profile for agents created from now on with a provider's models (`openai`) or with one model
 * (`openai:gpt-5.4`). Earlier registrations for the key stay, except for what this one changes. Throws on invalid keys.
 */
export function registerHarnessProfile(key: string, profile: HarnessProfile | HarnessProfileOptions): void {
  const name = checkedKey(key);
  const made = isMade(profile) ? profile : createHarnessProfile(profile);
  const known = profiles.get(name);
  profiles.set(name, known === undefined ? made : mergeProfiles(known, made));
}

/** The provider's profile with the model's on top; undefined if there is none or the name is invalid. */
export function getHarnessProfile(spec: string): HarnessProfile | undefined {
  const [provider = '', model, ...more] = spec.split(':');
  if (more.length > 0 || provider === '' || model === '') return undefined;
  const exact = profiles.get(spec);
  const base = model === undefined ? undefined : profiles.get(provider);
  return exact !== undefined && base !== undefined ? mergeProfiles(base, exact) : (exact ?? base);
}

/** The profile of a model, by its name or by what the instance reports. */
export function profileOfModel(model: BaseChatModel | string): HarnessProfile {
  if (typeof model === 'string') return getHarnessProfile(model) ?? EMPTY_HARNESS_PROFILE;
  const provider = providerOf(model);
  const id = modelNameOf(model);
  const names = [
    ...(provider !== undefined && id !== undefined && !id.includes(':') ? [`${provider}:${id}`] : []),
    ...(id?.includes(':') === true ? [id] : []),
    ...(provider === undefined ? [] : [provider]),
  ];
  for (const name of names) {
    const found = getHarnessProfile(name);
    if (found !== undefined) return found;
  }
  return EMPTY_HARNESS_PROFILE;
}

function checkedKey(key: string): string {
  const name = key.trim();
  const parts = name.split(':');
  if (parts.length > 2 || parts.some((part) => part.trim() === ''))
    throw new Error(`A profile is for "provider" or "provider:model", not for "${key}".`);
  return name;
}

const isMade = (profile: HarnessProfile | HarnessProfileOptions): profile is HarnessProfile =>
  profile.excludedTools instanceof Set;
