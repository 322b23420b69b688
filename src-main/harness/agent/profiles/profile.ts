import type { AgentMiddleware } from 'langchain';
import { z } from 'zod';
import {
  anyText,
  type Checks,
  checkOptions,
  either,
  flag,
  func,
  mustBe,
  objectWith,
  recordOf,
} from '../../../base/check-options';
import { optional } from '../../../contract/shared/optional';

/** A profile's changes to the general-purpose sub-agent. Missing fields change nothing. */
export interface GeneralPurposeSubagentConfig {
  /** False removes it. */
  enabled?: boolean | undefined;
  /** Tells the model when to use it, in the description of the `task` tool. */
  description?: string | undefined;
  /** Replaces its instructions. */
  systemPrompt?: string | undefined;
}

/** Settings for all models of a provider, or for one model. */
export interface HarnessProfileOptions {
  /** Replaces the empty base prompt. An agent's own base wins. */
  baseSystemPrompt?: string | undefined;
  /** Appended to the whole prompt after a blank line, for sub-agents too. */
  systemPromptSuffix?: string | undefined;
  /** By tool; unknown names are ignored. */
  toolDescriptionOverrides?: Record<string, string> | undefined;
  /** Tools that are not offered, whoever adds them. A call of one gets an error result. */
  excludedTools?: readonly string[] | undefined;
  /** By name. The ones for files and sub-agents cannot be excluded. */
  excludedMiddleware?: readonly string[] | undefined;
  /** Added after the agent's own. A function creates it for each agent. */
  extraMiddleware?: ExtraMiddleware | undefined;
  /** What is different about the general-purpose sub-agent. */
  generalPurposeSubagent?: GeneralPurposeSubagentConfig | undefined;
}

/** Middleware that all agents share, or a function that creates it for each. */
export type ExtraMiddleware = readonly AgentMiddleware[] | (() => readonly AgentMiddleware[]);

/** The same, validated and frozen. */
export interface HarnessProfile {
  /** See `HarnessProfileOptions` for each. Undefined: the profile changes nothing here. */
  readonly baseSystemPrompt: string | undefined;
  /** Undefined: nothing is appended. */
  readonly systemPromptSuffix: string | undefined;
  /** By tool. Empty: all keep theirs. */
  readonly toolDescriptionOverrides: Readonly<Record<string, string>>;
  /** Names of tools. */
  readonly excludedTools: ReadonlySet<string>;
  /** Names of middleware. Never one of `REQUIRED_MIDDLEWARE_NAMES`. */
  readonly excludedMiddleware: ReadonlySet<string>;
  /** Empty list: none. */
  readonly extraMiddleware: ExtraMiddleware;
  /** Undefined: it stays as it is. */
  readonly generalPurposeSubagent: GeneralPurposeSubagentConfig | undefined;
}

/** Without them, an agent has neither files nor sub-agents. */
export const REQUIRED_MIDDLEWARE_NAMES: ReadonlySet<string> = new Set([
  'FilesystemMiddleware',
  'SubAgentMiddleware',
]);

/** A text would be a set of its letters, and exclude nothing. */
const names = mustBe(
  'a list of names',
  (value) => typeof value === 'object' && value !== null && Symbol.iterator in value,
);
const CHECKS: Checks<HarnessProfileOptions> = {
  baseSystemPrompt: anyText,
  systemPromptSuffix: anyText,
  toolDescriptionOverrides: recordOf(anyText, 'descriptions by tool'),
  excludedTools: names,
  excludedMiddleware: names,
  extraMiddleware: either(
    mustBe('a list of middleware, or a function that returns one', Array.isArray),
    func,
  ),
  generalPurposeSubagent: objectWith({ enabled: flag, description: anyText, systemPrompt: anyText }),
};

/** Creates a frozen profile. Throws for unknown options, and for names of middleware that are required or unknown. */
export function createHarnessProfile(options: HarnessProfileOptions = {}): HarnessProfile {
  checkOptions('createHarnessProfile', options, CHECKS);
  for (const name of options.excludedMiddleware ?? []) checkExcluded(name);
  // No prototype, because a tool may be called `constructor`.
  const descriptions: Record<string, string> = Object.assign(
    Object.create(null),
    options.toolDescriptionOverrides,
  );
  const general = options.generalPurposeSubagent;
  return Object.freeze({
    baseSystemPrompt: options.baseSystemPrompt,
    systemPromptSuffix: options.systemPromptSuffix,
    toolDescriptionOverrides: Object.freeze(descriptions),
    excludedTools: new Set(options.excludedTools),
    excludedMiddleware: new Set(options.excludedMiddleware),
    extraMiddleware: options.extraMiddleware ?? [],
    generalPurposeSubagent: general === undefined ? undefined : Object.freeze({ ...general }),
  });
}

function checkExcluded(name: string): void {
  if (name.trim() === '') throw new Error('A name in excludedMiddleware is empty.');
  if (name.includes(':') || name.startsWith('_'))
    throw new Error(`excludedMiddleware takes names of middleware, and "${name}" is none.`);
  const isRequired = [...REQUIRED_MIDDLEWARE_NAMES].some(
    (one) => one.toLowerCase() === name.trim().toLowerCase(),
  );
  if (isRequired) throw new Error(`The middleware ${name} cannot be left out: the agent depends on it.`);
}

/** The profile of a model for which nothing is registered: it changes nothing. */
export const EMPTY_HARNESS_PROFILE = createHarnessProfile();

export const middlewareOf = (extra: ExtraMiddleware): readonly AgentMiddleware[] =>
  typeof extra === 'function' ? extra() : extra;

/** `over` wins field by field. Exclusions add up, and middleware of the same name is replaced. */
export function mergeProfiles(base: HarnessProfile, over: HarnessProfile): HarnessProfile {
  const general = { ...definedIn(base.generalPurposeSubagent), ...definedIn(over.generalPurposeSubagent) };
  return createHarnessProfile({
    baseSystemPrompt: over.baseSystemPrompt ?? base.baseSystemPrompt,
    systemPromptSuffix: over.systemPromptSuffix ?? base.systemPromptSuffix,
    toolDescriptionOverrides: { ...base.toolDescriptionOverrides, ...over.toolDescriptionOverrides },
    excludedTools: [...base.excludedTools, ...over.excludedTools],
    excludedMiddleware: [...base.excludedMiddleware, ...over.excludedMiddleware],
    extraMiddleware:
      typeof base.extraMiddleware === 'function' || typeof over.extraMiddleware === 'function'
        ? () => mergeMiddleware(middlewareOf(base.extraMiddleware), middlewareOf(over.extraMiddleware))
        : mergeMiddleware(base.extraMiddleware, over.extraMiddleware),
    ...(base.generalPurposeSubagent === undefined && over.generalPurposeSubagent === undefined
      ? {}
      : { generalPurposeSubagent: general }),
  });
}

function mergeMiddleware(
  earlier: readonly AgentMiddleware[],
  later: readonly AgentMiddleware[],
): readonly AgentMiddleware[] {
  const replaced = earlier.map((one) => later.find((other) => other.name === one.name) ?? one);
  return [...replaced, ...later.filter((one) => !replaced.includes(one))];
}

const definedIn = (config: GeneralPurposeSubagentConfig | undefined): GeneralPurposeSubagentConfig =>
  Object.fromEntries(Object.entries(config ?? {}).filter(([, value]) => value !== undefined));

/** The general-purpose sub-agent in a profile that is data, see `GeneralPurposeSubagentConfig`. Unknown keys are errors. */
export const generalPurposeSubagentConfigSchema = z.strictObject({
  /** False removes it. */
  enabled: z.boolean().optional(),
  /** When to use it, for the model that delegates tasks. */
  description: z.string().optional(),
  /** Replaces its instructions. */
  systemPrompt: z.string().optional(),
});

/** A profile in a JSON or YAML file, see `HarnessProfileOptions`. It cannot contain middleware. Unknown keys are errors. */
export const harnessProfileConfigSchema = z.strictObject({
  /** Replaces the empty base prompt. An agent's own base wins. */
  baseSystemPrompt: z.string().optional(),
  /** Appended to the whole prompt after a blank line, for sub-agents too. */
  systemPromptSuffix: z.string().optional(),
  /** By name of the tool. Unknown names are ignored. */
  toolDescriptionOverrides: z.record(z.string(), z.string()).optional(),
  /** Names of tools that are not offered, whoever adds them. */
  excludedTools: z.array(z.string()).optional(),
  /** Names of middleware. Those in `REQUIRED_MIDDLEWARE_NAMES` are an error. */
  excludedMiddleware: z.array(z.string()).optional(),
  /** Changes of the general-purpose sub-agent. Missing fields change nothing. */
  generalPurposeSubagent: generalPurposeSubagentConfigSchema.optional(),
});
/** A profile as data, such as JSON, see `HarnessProfileOptions`. It cannot have middleware of your own. */
export type HarnessProfileConfigData = z.infer<typeof harnessProfileConfigSchema>;

const POISONED = new Set(['__proto__', 'constructor', 'prototype']);

function checkKeys(value: unknown, place = 'its root'): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (POISONED.has(key)) throw new Error(`The profile has the key "${key}" at ${place}, which is refused.`);
    checkKeys(inner, key);
  }
}

/** Parses a profile from file data. Throws on anything unknown. */
export function parseHarnessProfileConfig(data: unknown): HarnessProfile {
  checkKeys(data);
  return createHarnessProfile(harnessProfileConfigSchema.parse(data));
}

/** The inverse of `parseHarnessProfileConfig`. Throws if the profile contains middleware. */
export function serializeProfile(profile: HarnessProfile): HarnessProfileConfigData {
  if (middlewareOf(profile.extraMiddleware).length > 0)
    throw new Error(
      'A profile with extraMiddleware cannot be written to a file: middleware has no such form.',
    );
  const { baseSystemPrompt, systemPromptSuffix, toolDescriptionOverrides, generalPurposeSubagent } = profile;
  const general = definedIn(generalPurposeSubagent);
  return {
    ...optional({ baseSystemPrompt, systemPromptSuffix }),
    ...(Object.keys(toolDescriptionOverrides).length === 0
      ? {}
      : { toolDescriptionOverrides: { ...toolDescriptionOverrides } }),
    ...(profile.excludedTools.size === 0 ? {} : { excludedTools: [...profile.excludedTools] }),
    ...(profile.excludedMiddleware.size === 0 ? {} : { excludedMiddleware: [...profile.excludedMiddleware] }),
    ...(Object.keys(general).length === 0 ? {} : { generalPurposeSubagent: general }),
  };
}
