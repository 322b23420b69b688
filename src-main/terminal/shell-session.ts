import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MARK_VARIABLE } from './process-tree';

/** Files by which one command hands its folder and variables to the next. */
interface Handover {
  /** Shell text that sets the exported variables. */
  env: string;
  /** The folder, written last: where it is missing the command did not come to its end. */
  cwd: string;
}

/**
 * What consecutive commands of one session share: each runs in a shell of its own, so that its output, its time limit and
 * its leftovers are its own, and begins in the folder and with the exported variables with which the one before it ended.
 * A command that is killed changes neither. Shell options, aliases, functions and background processes are not handed on,
 * and what was unset comes back.
 */
export class ShellSession {
  private made: Promise<string> | null = null;
  private last: Handover | null = null;
  private current: string;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly root: string) {
    this.current = root;
  }

  /** Where commands hand over to each other; each must be able to write there. Made for the first one. */
  private folder(): Promise<string> {
    this.made ??= mkdtemp(join(tmpdir(), 'deepdesk-session-'));
    return this.made;
  }

  /** Where the next command begins. */
  get cwd(): string {
    return this.current;
  }

  /** One command after the other: what runs at once cannot share a folder. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.queue.then(work);
    this.queue = done.catch(() => undefined);
    return done;
  }

  /** What is to be run for the command, and how to take over what it left. Both belong to the same turn. */
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
    // A shell that is told to end may still hand on what it was in the middle of.
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

  /** Forgets all of it, once what runs in it is over. */
  close(): Promise<void> {
    return this.inTurn(async () => {
      if (this.made !== null) await rm(await this.made, { recursive: true, force: true });
    });
  }
}

/** Shell text that takes over the variables of `from`, runs the command and hands on to `to`, whatever way it exits. */
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
  // The mark finds this terminal's processes, so it is never that of an earlier one. Only what shells have built in is
  // used: the command may have taken PATH away.
  const restore =
    from === null
      ? ''
      : `__m=$${MARK_VARIABLE}; . ${q(from)} 2>/dev/null; export ${MARK_VARIABLE}="$__m"; unset __m\n`;
  const handOver = `__c=$?; set +eu; { export -p > ${q(to.env)} && pwd > ${q(to.cwd)}; } 2>/dev/null; exit $__c`;
  return `${restore}trap ${q(handOver)} EXIT\neval ${q(command)}`;
}

const forget = ({ env, cwd }: Handover) =>
  Promise.all([env, cwd].map((file) => rm(file, { force: true }).catch(() => undefined)));

/** Empty where it was never written. */
const readOrEmpty = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
