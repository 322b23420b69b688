import { join } from 'node:path';
import type { KnownPlaces } from '../bash/paths/places';
import { programFinder } from '../bash/paths/programs';
import { analyzeShell } from '../bash/verdict/analyze';
import { judgeCommand } from '../command';
import { whyAskedAllTheSame } from '../confined';
import { isForbidden } from '../forbidden-commands';

/** A project in the folder of a person, on a computer that has every program. */
export const PLACES = {
  folder: '/home/me/project',
  cwd: '/home/me/project',
  home: '/home/me',
  dataDir: '/home/me/.data',
  resolveBinary: (name: string) => `/usr/bin/${name}`,
} satisfies KnownPlaces;

/** Whether a rule that forbids `words` blocks the line. `exact`: only these words. */
export const stops = (words: string, line: string, exact = false): boolean =>
  analyzeShell(line, PLACES).parts.some((part) =>
    isForbidden({ kind: 'command', words: words.split(' '), exact }, part),
  );

/** Whether the line needs approval in "Auto in the sandbox". `base`: a folder with the project, a home and a data folder. */
export async function asksInSandbox(command: string, base: string): Promise<boolean> {
  const folder = join(base, 'project');
  const places = {
    folder,
    cwd: folder,
    home: join(base, 'home'),
    dataDir: join(base, 'data'),
    ...programFinder('/usr/bin:/bin', folder),
  };
  const judged = await judgeCommand({ command }, places, []);
  return judged.verdict === 'deny' || whyAskedAllTheSame(judged, places) !== null;
}
