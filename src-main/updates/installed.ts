import { sep } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../base/limited-json';
import type { UpdateWay } from '../contract/updates';
import type { UpdateSource } from './updates';

/** What tells how this app was installed. */
interface Surroundings {
  isPackaged: boolean;
  platform: string;
  /** The folder with the app's resources. */
  resources: string;
  env: NodeJS.ProcessEnv;
  exists: (path: string) => boolean;
}

const DEBIAN_ENTRY = '/var/lib/dpkg/info/deepdesk.list';

/**
 * The AppImage that runs as this process; null if none does. `APPIMAGE` alone does not tell: a program that an AppImage
 * started has it too, and replacing that file would replace another program.
 */
function ownAppImage({ platform, resources, env }: Surroundings): string | null {
  const { APPIMAGE: file, APPDIR: mounted } = env;
  if (platform !== 'linux' || !file || !mounted) return null;
  return resources.startsWith(mounted.endsWith(sep) ? mounted : `${mounted}${sep}`) ? file : null;
}

/** How a new version gets here, if this build has a source of updates. */
function wayWithSource(around: Surroundings): UpdateWay {
  const { isPackaged, platform, resources, env, exists } = around;
  if (!isPackaged) return 'source';
  if (platform === 'win32') return env.PORTABLE_EXECUTABLE_FILE ? 'portable' : 'self';
  if (platform === 'darwin' || ownAppImage(around) !== null) return 'self';
  if (!resources.startsWith('/usr/lib/deepdesk/')) return 'archive';
  return exists(DEBIAN_ENTRY) ? 'deb' : 'rpm';
}

/** Names a feed and a key for journeys, as JSON. A packaged app does not read it. */
export const TEST_SOURCE = 'DEEPDESK_TEST_UPDATES';
const TestSource = z.object({ feed: z.url(), key: z.string() });

/**
 * How new versions get here, and from where.
 * @param built what the build was made with; the key is empty where nobody has made one
 */
export function updatesFor(
  around: Surroundings,
  built: UpdateSource,
): { way: UpdateWay; source: UpdateSource | null; appImage: string | null } {
  const test = around.isPackaged ? undefined : around.env[TEST_SOURCE];
  if (test !== undefined) {
    const parsed = parseJson(test, { maxBytes: 10_000 });
    const source = TestSource.parse('value' in parsed ? parsed.value : null);
    return { way: 'self', source, appImage: around.env.APPIMAGE ?? null };
  }
  const way = wayWithSource(around);
  if (way !== 'self') return { way, source: null, appImage: null };
  if (built.key === '' || !built.feed.startsWith('https://'))
    return { way: 'unconfigured', source: null, appImage: null };
  return { way, source: built, appImage: ownAppImage(around) };
}
