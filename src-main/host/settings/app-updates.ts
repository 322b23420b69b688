import { z } from 'zod';
import type { Storage } from '../../storage';
import { Updates, type UpdatesOptions } from '../../updates/updates';
import type { Hub } from '../window/hub';

/** The name of the stored date of the newest feed that was accepted. */
const SEEN = 'updates.seen';

/** Without a source, for hosts that run without the app. */
const NONE: Omit<UpdatesOptions, 'version'> = {
  way: 'source',
  source: null,
  platform: process.platform,
  arch: process.arch,
  folder: '',
  appImage: null,
  configFile: '',
};

/** New versions of the app, with the switch in the settings and an event for each change. */
export function openUpdates(parts: {
  storage: Storage;
  hub: Hub;
  version: string;
  options: Omit<UpdatesOptions, 'version'> | undefined;
  report: (where: string, error: unknown) => void;
}): Updates {
  const { storage, hub, version, options = NONE, report } = parts;
  return new Updates(
    { ...options, version },
    {
      isOn: storage.settings.read().updates !== false,
      seen: () => storage.settings.get(SEEN, z.number()) ?? 0,
      see: (date) => storage.settings.set(SEEN, date),
      onChange: (updates) => hub.app({ type: 'updates.changed', updates }),
      report: (error) => report('updates', error),
    },
  );
}
