import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Project, TerminalInfo } from '../../../contract/app';
import type { PlaceId, ProjectId } from '../../../contract/ids';
import { fail, ok, type Result } from '../../../contract/result';
import { scrubEnv } from '../../../harness/backends';
import type { OpenRequest, TerminalSessions } from '../../../terminal/sessions';
import type { Places } from '../../places/places';
import { toMount } from '../mount-paths';
import type { ProjectRegistry } from '../projects';

/** Follows the output of an earlier shell: default colors and modes, and a new line. */
const AFTER_PAST = '\x1b[!p\x1b[0m\r\n';
/** Milliseconds in which another machine must tell what runs in a terminal. */
const PROGRAMS_LIMIT = 3_000;
const [OWN_SCREEN, LEAVE_SCREEN] = ['\x1b[?1049h', '\x1b[?1049l'];

interface TerminalParts {
  terminals: TerminalSessions;
  projects: ProjectRegistry;
  places: Places;
  env: NodeJS.ProcessEnv;
}

interface Look {
  cols: number;
  rows: number;
  past?: string;
  replaces?: TerminalInfo;
}

/** The person's shells in project folders, even on other computers, and the contents of terminals. */
export class PersonTerminals {
  constructor(private readonly parts: TerminalParts) {}

  async create(projectId: ProjectId, size: { cols: number; rows: number }): Promise<Result<TerminalInfo>> {
    const project = await this.parts.projects.present(projectId);
    return project.ok ? this.open(project.value, null, size) : project;
  }

  /** Restarts a shell below the output of a finished one, which it replaces. Errors: `invalid`, `conflict`. */
  async reopen(terminal: TerminalInfo): Promise<Result<TerminalInfo>> {
    const { id, kind, projectId, cwd, cols, rows, endedAt } = terminal;
    if (kind !== 'person') return fail('invalid', 'own_terminals_only');
    if (endedAt === null) return fail('conflict', 'terminal_running');
    const { projects, terminals } = this.parts;
    const project = await projects.present(projectId);
    if (!project.ok) return project;
    const recorded = terminals.recorded(id);
    const past = recorded.ok && recorded.value.data !== '' ? asPast(recorded.value.data) : '';
    const opened = await this.open(project.value, cwd, { cols, rows, past, replaces: terminal });
    if (opened.ok) await terminals.close(id);
    return opened;
  }

  /** Finds which words of a terminal's output name files of its project. */
  async locate(
    { id, projectId }: TerminalInfo,
    words: readonly string[],
  ): Promise<Result<{ paths: (string | null)[] }>> {
    const { projects, terminals, env } = this.parts;
    const project = projects.get(projectId);
    if (!project.ok) return project;
    if (project.value.remote !== undefined) return ok({ paths: words.map(() => null) });
    const folder = terminals.folderOf(id) ?? project.value.folder;
    const home = scrubEnv(env).HOME ?? homedir();
    return ok({ paths: await Promise.all(words.map((word) => locate(word, project.value, folder, home))) });
  }

  /** `wanted`: a folder to start in, if it is there; null: the project's. */
  private async open(project: Project, wanted: string | null, look: Look): Promise<Result<TerminalInfo>> {
    if (project.remote !== undefined) return this.openThere(project, project.remote.placeId, wanted, look);
    const folder = wanted === null ? null : await stat(wanted).catch(() => null);
    await this.parts.terminals.prepare();
    const cwd = wanted !== null && folder?.isDirectory() ? wanted : project.folder;
    const opened = this.parts.terminals.open(this.requestFor(project, cwd, look));
    return opened.ok ? ok(opened.value.info) : opened;
  }

  private async openThere(
    project: Project,
    placeId: PlaceId,
    wanted: string | null,
    look: Look,
  ): Promise<Result<TerminalInfo>> {
    const { terminals, places } = this.parts;
    const shell = await places.shellAt(placeId, wanted ?? undefined);
    if (!shell.ok) return shell;
    const { program, elsewhere, programs, leave } = shell.value;
    const request = this.requestFor(project, project.folder, look);
    const opened = terminals.open({
      ...request,
      shell: program,
      elsewhere,
      programs: () => Promise.race([programs(), sleep(PROGRAMS_LIMIT, [], { ref: false })]),
    });
    if (!opened.ok) return opened;
    // Where it cannot be told, as on a full disk here, the other machine notices by itself.
    terminals.beforeQuitting(opened.value.ended.then(leave).catch(() => undefined));
    return ok(opened.value.info);
  }

  private requestFor({ id }: Project, cwd: string, look: Look): OpenRequest {
    return {
      kind: 'person',
      projectId: id,
      threadId: null,
      callId: null,
      command: '',
      cwd,
      ...look,
      // The person's shell keeps their home folder and locale, but gets none of Deepdesk's secrets.
      env: { HOME: homedir(), ...scrubEnv(this.parts.env) },
    };
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
