import { ProviderId } from '../../contract/app';
import { fail, ok, type Result } from '../../contract/result';
import { type Profile, type ProfileScope, Profiles, type ProfilesState } from '../../contract/shared/profile';
import { BUILT_IN_TOOLS } from '../../harness/agent/built-in-tools';
import { TOOLS } from '../../harness/tools/catalogue';
import type { Storage } from '../../storage';
import systemPrompt from './system-prompt.md?raw';

const SETTING = 'profiles';
/** Reads the files that hold long results. */
const REQUIRED = TOOLS.readFile.name;
const BUILT_IN = new Set(BUILT_IN_TOOLS.map(({ name }) => name));

/** MCP tools are named after their server. Which exist depends on the folder. */
const isOfServer = (tool: string) => tool.includes('__');

/** The person's changes to the agent, per model. Projects have no influence: a cloned folder could abuse it. */
export class ProfileService {
  constructor(private readonly storage: Storage) {}

  state(): ProfilesState {
    return {
      profiles: this.all(),
      builtIn: {
        systemPrompt: systemPrompt.trim(),
        tools: BUILT_IN_TOOLS.map(({ name, description }) => ({
          name,
          description: description.trim(),
          required: name === REQUIRED,
        })),
      },
    };
  }

  /** Errors: `invalid` if it names something unknown or excludes what the harness needs. */
  change(scope: ProfileScope, profile: Profile | null): Result<Record<string, never>> {
    const [provider = ''] = scope.split(':');
    if (scope !== '*' && !ProviderId.safeParse(provider).success) {
      return fail('invalid', 'unknown_provider', { provider });
    }
    const { [scope]: _, ...others } = this.all();
    if (profile === null) {
      this.storage.settings.set(SETTING, others);
      return ok({});
    }
    const named = [...(profile.excludedTools ?? []), ...Object.keys(profile.toolDescriptions ?? {})];
    const stranger = named.find((name) => !BUILT_IN.has(name) && !isOfServer(name));
    if (stranger !== undefined) {
      return fail('invalid', 'no_such_tool', { tool: stranger });
    }
    if (profile.excludedTools?.includes(REQUIRED)) {
      return fail('invalid', 'required_tool', { tool: REQUIRED });
    }
    this.storage.settings.set(SETTING, { ...others, [scope]: profile });
    return ok({});
  }

  /** The profile for a model (`provider:name`) in a run with these server tools. */
  of(model: string, serverTools: readonly string[]): Profile {
    const profile = profileFor(this.all(), model);
    const isHere = (name: string) => !isOfServer(name) || serverTools.includes(name);
    return {
      ...profile,
      excludedTools: (profile.excludedTools ?? []).filter(isHere),
      toolDescriptions: Object.fromEntries(
        Object.entries(profile.toolDescriptions ?? {}).filter(([name]) => isHere(name)),
      ),
    };
  }

  private all(): Profiles {
    return this.storage.settings.get(SETTING, Profiles) ?? {};
  }
}

/**
 * The profile for a model (`provider:name`), merged from those of every model, its provider, and itself. The narrower prompt
 * wins, descriptions merge tool by tool, and exclusions add up.
 */
export function profileFor(profiles: Profiles, model: string): Profile {
  const provider = model.slice(0, model.indexOf(':'));
  const found = ['*', provider, model].flatMap((scope) => profiles[scope] ?? []);
  return Object.assign({}, ...found, {
    toolDescriptions: Object.assign({}, ...found.map((one) => one.toolDescriptions)),
    excludedTools: [...new Set(found.flatMap((one) => one.excludedTools ?? []))],
  });
}

/** The effective system prompt: the person's or the built-in one, then the current facts, then the person's suffix. */
export function promptOf({ systemPrompt: own, systemPromptSuffix }: Profile, facts: string): string {
  return [own ?? systemPrompt.trim(), facts, systemPromptSuffix ?? '']
    .filter((part) => part !== '')
    .join('\n\n');
}
