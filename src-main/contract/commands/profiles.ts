import { z } from 'zod';
import { command, done, nothing } from '../command';
import { Profile, ProfileScope, ProfilesState } from '../shared/profile';

/** What the person changed about the agent. */
export const profilesCommands = {
  /** What the person changed about the agent, and what holds without. */
  'profiles.read': command(nothing, ProfilesState),
  /** In place of the profile there was for the scope; null removes it. */
  'profiles.change': command(z.strictObject({ scope: ProfileScope, profile: Profile.nullable() }), done),
} as const;
