import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { Project, TerminalInfo } from '../../contract/app';
import type { ProjectId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import { optional } from '../../contract/shared/optional';
import { scrubEnv } from '../../harness/backends';
import type { TerminalSessions } from '../../terminal/sessions';
import { onThisComputer, toMount } from './mount-paths';
import type { ProjectRegistry } from './projects';

/** Follows the output of an earlier shell: default colors and modes, and a new line. */
const AFTER_PAST = '\x1b[!p\x1b[0m\r\n';
const [OWN_SCREEN, LEAVE_SCREEN] = ['\x1b[?1049h', '\x1b[?1049l'];

/** The person's shells in project folders, and the contents of terminals. */
export class PersonTerminals {
  constructor(
    private readonly terminals: TerminalSessions,
    private readonly projects: ProjectRegistry,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  async create(projectId: ProjectId, size: { cols: number; rows: number }): Promise<Result<TerminalInfo>> {
    const project = await this.here(projectId);
    if (!project.ok) return project;
    await this.terminals.prepare();
    return this.open(projectId, project.value.folder, size);
  }

  /** Restarts a shell below the output of a finished one, which it replaces. Errors: `invalid`, `conflict`. */
  async reopen(terminal: TerminalInfo): Promise<Result<TerminalInfo>> {
    const { id, kind, projectId, cwd, cols, rows, title, endedAt } = terminal;
    if (kind !== 'person') return fail('invalid', 'own_terminals_only');
    if (endedAt === null) return fail('conflict', 'terminal_running');
    const project = await this.here(projectId);
    if (!project.ok) return project;
    const folder = await stat(cwd).catch(() => null);
    await this.terminals.prepare();
    const recorded = this.terminals.recorded(id);
    const past = recorded.ok && recorded.value.data !== '' ? asPast(recorded.value.data) : '';
    const opened = this.open(projectId, folder?.isDirectory() ? cwd : project.value.folder, {
      cols,
      rows,
      past,
      ...optional({ title }),
    });
    if (opened.ok) await this.terminals.close(id);
    return opened;
  }

  /** Finds which words of a terminal's output name files of its project. */
  async locate(
    { id, projectId }: TerminalInfo,
    words: readonly string[],
  ): Promise<Result<{ paths: (string | null)[] }>> {
    const project = this.projects.get(projectId);
    if (!project.ok) return project;
    const folder = this.terminals.folderOf(id) ?? project.value.folder;
    const home = scrubEnv(this.env).HOME ?? homedir();
    return ok({ paths: await Promise.all(words.map((word) => locate(word, project.value, folder, home))) });
  }

  /** The project, if its folder is on this computer. */
  private async here(projectId: ProjectId): Promise<Result<Project>> {
    const project = await this.projects.present(projectId);
    if (!project.ok) return project;
    const here = onThisComputer(project.value);
    return here.ok ? project : here;
  }

  private open(
    projectId: ProjectId,
    cwd: string,
    how: { cols: number; rows: number; past?: string; title?: string },
  ): Result<TerminalInfo> {
    const opened = this.terminals.open({
      kind: 'person',
      projectId,
      threadId: null,
      callId: null,
      command: '',
      cwd,
      ...how,
      // The person's shell keeps their home folder and locale, but gets none of Deepdesk's secrets.
      env: { HOME: homedir(), ...scrubEnv(this.env) },
    });
    return opened.ok ? ok(opened.value.info) : opened;
  }
}

/** The project file that a word of terminal output names, as the viewer takes it; null if there is none. */
async function locate(word: string, project: Project, folder: string, home: string): Promise<string | null> {
  const path = word.startsWith('~/') ? join(home, word.slice(2)) : word;
  const places = isAbsolute(path) ? [path] : [resolve(folder, path), resolve(project.folder, path)];
  for (const place of places) {
    const inside = relative(project.folder, place);
    if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) continue;
    const found = await stat(place).catch(() => null);
    if (found?.isFile()) return toMount(project, place);
  }
  return null;
}

/** Prepares the output of an earlier shell so that another can continue below it. */
function asPast(printed: string): string {
  // Leave the alternate screen only if a program entered it: leaving moves the cursor.
  const isOwnScreen = printed.lastIndexOf(OWN_SCREEN) > printed.lastIndexOf(LEAVE_SCREEN);
  return `${printed}${isOwnScreen ? LEAVE_SCREEN : ''}${AFTER_PAST}`;
}
