import { ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { ProfileService } from '../settings/profiles';
import type { Connection } from '../window/connection';

/** Handlers for the person's changes to the agent. */
export function profilesHandlers({
  profiles,
}: {
  profiles: ProfileService;
}): HandlersOf<'profiles', Connection> {
  return {
    'profiles.read': () => ok(profiles.state()),
    'profiles.change': ({ scope, profile }) => profiles.change(scope, profile),
  };
}
