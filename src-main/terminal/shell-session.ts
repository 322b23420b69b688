import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MARK_VARIABLE } from './pty/process-tree';

/** Files through which one command passes its folder and variables to the next. */
interface Handover {
  /** Shell text that sets the exported variables. */
  env: string;
  /** The folder, written last. If it is missing, the command did not complete. */
  cwd: string;
}

/**
 * The state that consecutive commands of one session share. Each command runs in a separate shell with its own output, time
 * limit and leftovers. It starts in the folder and with the exported variables that the previous command finished with. A
 * killed command changes neither. Shell options, aliases, functions and background processes are not passed on, and unset
 * variables come back.
 */
export class ShellSession {
  private made: Promise<string> | null = null;
  private last: Handover | null = null;
  private current: string;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly root: string) {
    this.current = root;
  }

  /** The folder for the handover files; each command must be able to write there. Created for the first command. */
  private folder(): Promise<string> {
    this.made ??= mkdtemp(join(tmpdir(), 'deepdesk-session-'));
    return this.made;
  }

  /** The folder where the next command starts. */
  get cwd(): string {
    return this.current;
  }

  /** Runs one command after the other, because concurrent commands cannot share a folder. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.queue.then(work);
    this.queue = done.catch(() => undefined);
    return done;
  }

  /** Returns what to run for the command, and how to take over the state it left. Both belong to the same turn. */
  async prepare(command: string, platform: NodeJS.Platform = process.platform) {
    const notes: string[] = [];
    const isThere = await stat(this.current).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere) {
      notes.push(`[The folder ${this.current} is gone; the session continued in ${this.root}.]`);
      this.current = this.root;
    }
    const folder = await this.folder();
    const name = join(folder, randomBytes(6).toString('hex'));
    const next: Handover = { env: `${name}.env`, cwd: `${name}.cwd` };
    const script = sessionScript({ command, from: this.last?.env ?? null, to: next }, platform);
    // A shell that is being killed may still write an incomplete handover.
    const takeOver = async (cameToItsEnd: boolean): Promise<string[]> => {
      const cwd = !cameToItsEnd ? '' : (await readOrEmpty(next.cwd)).replace(/\r?\n$/, '');
      if (cwd === '') {
        await forget(next);
        notes.push(
          '[The command did not finish by itself, so the session is unchanged: its changes of folder and variables are not kept.]',
        );
        return notes;
      }
      if (this.last) await forget(this.last);
      this.last = next;
      this.current = cwd;
      return notes;
    };
    return { script, folder, takeOver };
  }

  /** Deletes all state after the running commands have finished. */
  close(): Promise<void> {
    return this.inTurn(async () => {
      if (this.made !== null) await rm(await this.made, { recursive: true, force: true });
    });
  }
}

/** Shell text that restores the variables of `from`, runs the command and writes the handover to `to`, however it exits. */
export function sessionScript(
  { command, from, to }: { command: string; from: string | null; to: Handover },
  platform: NodeJS.Platform,
): string {
  if (platform === 'win32') {
    const q = (text: string) => `'${text.replaceAll("'", "''")}'`;
    const restore =
      from === null
        ? ''
        : `(Get-Content -Raw -LiteralPath ${q(from)} | ConvertFrom-Json).PSObject.Properties | Where-Object Name -ne '${MARK_VARIABLE}' | ForEach-Object { Set-Item -LiteralPath "env:$($_.Name)" -Value $_.Value }\n`;
    return `${restore}try { Invoke-Expression ${q(command)} } finally {
$e = @{}; Get-ChildItem env: | ForEach-Object { $e[$_.Name] = $_.Value }
$e | ConvertTo-Json | Set-Content -LiteralPath ${q(to.env)}
(Get-Location).Path | Set-Content -LiteralPath ${q(to.cwd)}
}
exit $LASTEXITCODE`;
  }
  const q = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  // The mark identifies this terminal's processes, so it must never come from an earlier one. The script uses only shell
  // built-ins, because the command may have removed PATH.
  const restore =
    from === null
      ? ''
      : `__m=$${MARK_VARIABLE}; . ${q(from)} 2>/dev/null; export ${MARK_VARIABLE}="$__m"; unset __m\n`;
  const handOver = `__c=$?; set +eu; { export -p > ${q(to.env)} && pwd > ${q(to.cwd)}; } 2>/dev/null; exit $__c`;
  return `${restore}trap ${q(handOver)} EXIT\neval ${q(command)}`;
}

const forget = ({ env, cwd }: Handover) =>
  Promise.all([env, cwd].map((file) => rm(file, { force: true }).catch(() => undefined)));

/** Empty if it was never written. */
const readOrEmpty = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
