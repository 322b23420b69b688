import { z } from 'zod';

const Text = z.string().max(200_000);

/** The person's changes to the agent on some models. Absent fields keep their defaults. */
export const Profile = z.strictObject({
  /** Replaces the built-in system prompt. Facts about the folder and the system always follow. */
  systemPrompt: Text.optional(),
  /** Appended after the system prompt and the facts. */
  systemPromptSuffix: Text.optional(),
  /** Tool descriptions for the model, by tool name. */
  toolDescriptions: z.record(z.string().min(1).max(200), Text).optional(),
  /** Names of tools that the model does not get. */
  excludedTools: z.array(z.string().min(1).max(200)).max(500).optional(),
});
export type Profile = z.infer<typeof Profile>;

/**
 * The scope of a profile: `*` for every model, `provider` for all of one provider, or `provider:name`. The narrower one
 * wins.
 */
export const ProfileScope = z.string().regex(/^(?:\*|[a-z-]+|[a-z-]+:\S+)$/u);
export type ProfileScope = z.infer<typeof ProfileScope>;

export const Profiles = z.record(ProfileScope, Profile);
export type Profiles = z.infer<typeof Profiles>;

export const ProfilesState = z.object({
  profiles: Profiles,
  /** The defaults without a profile. */
  builtIn: z.object({
    systemPrompt: z.string(),
    tools: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        /** The agent needs it. */
        required: z.boolean(),
      }),
    ),
  }),
});
export type ProfilesState = z.infer<typeof ProfilesState>;
