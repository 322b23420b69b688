import { z } from 'zod';
import { command, done, nothing } from '../command';
import { Profile, ProfileScope, ProfilesState } from '../shared/profile';

/** The person's changes to the agent. */
export const profilesCommands = {
  /** The person's changes to the agent, and the defaults. */
  'profiles.read': command(nothing, ProfilesState),
  /** Replaces the scope's profile; null removes it. */
  'profiles.change': command(z.strictObject({ scope: ProfileScope, profile: Profile.nullable() }), done),
} as const;
