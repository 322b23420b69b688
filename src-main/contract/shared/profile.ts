import { z } from 'zod';

const Text = z.string().max(200_000);

/** What the person changes about the agent on some models. What is absent stays as it is without. */
export const Profile = z.strictObject({
  /** In place of the built-in system prompt. Facts about the folder and the system always follow. */
  systemPrompt: Text.optional(),
  /** After the system prompt and the facts. */
  systemPromptSuffix: Text.optional(),
  /** By the name of a tool: what the model is told of it. */
  toolDescriptions: z.record(z.string().min(1).max(200), Text).optional(),
  /** Names of tools that the model is not offered. */
  excludedTools: z.array(z.string().min(1).max(200)).max(500).optional(),
});
export type Profile = z.infer<typeof Profile>;

/** What a profile is for: `*` every model, `provider` all of one, or `provider:name`. The narrower one wins. */
export const ProfileScope = z.string().regex(/^(?:\*|[a-z-]+|[a-z-]+:\S+)$/u);
export type ProfileScope = z.infer<typeof ProfileScope>;

export const Profiles = z.record(ProfileScope, Profile);
export type Profiles = z.infer<typeof Profiles>;

export const ProfilesState = z.object({
  profiles: Profiles,
  /** What holds without a profile. */
  builtIn: z.object({
    systemPrompt: z.string(),
    tools: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        /** The agent cannot do without it. */
        required: z.boolean(),
      }),
    ),
  }),
});
export type ProfilesState = z.infer<typeof ProfilesState>;
