import { join, posix } from 'node:path';
import { namedInside } from '../../../approvals/bash/changes/named-paths';
import type { Project } from '../../../contract/app';
import { COMMAND_KEPT } from '../../../contract/changes';
import { CallId, type ThreadId } from '../../../contract/ids';
import { optional } from '../../../contract/shared/optional';
import type {
  ExecuteOptions,
  ExecuteResponse,
  LocalShellBackendOptions,
  WriteOptions,
} from '../../../harness';
import { type EditorDisk, editorCalls, type FileCalls } from '../../../harness/acp/editor-backend';
import type { EditorFiles } from '../../../harness/acp/host';
import { LocalShellBackend } from '../../../harness/backends';
import { TOOLS } from '../../../harness/tools/catalogue';
import type { AgentAuthor } from '../../../storage/file-changes';
import type { ChangeLog, ComingCall } from '../../project/changes/change-log';

export interface Recording {
  log: ChangeLog;
  project: Project;
  threadId: ThreadId;
  /** Name of the sub-agent that makes a call; null for the thread's own agent. */
  agentOf: (callId: string) => string | null;
  /** Whether the call ran without the person's approval, and without a rule of theirs. */
  isAutoApproved: (callId: string) => boolean;
  /** Whether the call runs in a throwaway layer and changes nothing in the folder. Default: no. */
  isInLayer?: (callId: string) => boolean;
}

/** The folder with its commands. It records the changes of calls so that they can be undone. */
export class RecordedShell extends LocalShellBackend {
  private readonly texts: FileCalls;

  constructor(
    options: LocalShellBackendOptions,
    private readonly recording: Recording,
    editorFiles?: EditorFiles,
  ) {
    super(options);
    const disk: EditorDisk = {
      read: (...given) => super.read(...given),
      readRaw: (...given) => super.readRaw(...given),
      write: (...given) => super.write(...given),
      edit: (...given) => super.edit(...given),
      delete: (...given) => super.delete(...given),
      downloadFiles: (...given) => super.downloadFiles(...given),
      realPath: (path) => super.realPath(path),
    };
    const hostPath = (path: string) => join(this.rootDir, path);
    this.texts = editorFiles === undefined ? disk : editorCalls(disk, { files: editorFiles, hostPath });
  }

  override read(...given: Parameters<FileCalls['read']>) {
    return this.texts.read(...given);
  }

  override readRaw(...given: Parameters<FileCalls['readRaw']>) {
    return this.texts.readRaw(...given);
  }

  override write(path: string, content: string, options?: WriteOptions) {
    return this.recorded(TOOLS.writeFile.name, path, options, () => this.texts.write(path, content, options));
  }

  override edit(path: string, oldString: string, newString: string, all?: boolean, options?: WriteOptions) {
    return this.recorded(TOOLS.editFile.name, path, options, () =>
      this.texts.edit(path, oldString, newString, all, options),
    );
  }

  override delete(path: string, options?: WriteOptions) {
    return this.recorded(
      TOOLS.deleteFile.name,
      path,
      options,
      () => this.texts.delete?.(path, options) ?? super.delete(path, options),
    );
  }

  override async execute(command: string, options: ExecuteOptions = {}): Promise<ExecuteResponse> {
    const { callId, signal } = options;
    if (callId === undefined) return super.execute(command, options);
    const { project, log, isInLayer } = this.recording;
    if (isInLayer?.(callId)) return super.execute(command, options);
    const author = authorOf(this.recording, callId, TOOLS.execute.name, command.slice(0, COMMAND_KEPT));
    const named = await namedInside(command, project.mount);
    const call: ComingCall = { author, named, isCommand: true, signal };
    const response = await log.around(project, call, () => super.execute(command, options));
    const { jobId } = response;
    if (jobId !== undefined) {
      log.jobStarted(project, author, async () => {
        const jobs = (await this.jobs?.list()) ?? [];
        return jobs.some(({ id, status }) => id === jobId && status === 'running');
      });
    }
    return response;
  }

  private recorded<T>(
    tool: string,
    path: string,
    options: WriteOptions | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    const callId = options?.author?.callId;
    const inside = posix.normalize(`/${path}`).slice(1).replace(/\/$/, '');
    if (callId === undefined || inside === '') return work();
    const { project, log } = this.recording;
    const author = authorOf(this.recording, callId, tool);
    return log.around(project, { author, named: [inside], isCommand: false, signal: options?.signal }, work);
  }
}

/** The author of what a call changes. */
export function authorOf(
  { threadId, agentOf, isAutoApproved }: Pick<Recording, 'threadId' | 'agentOf' | 'isAutoApproved'>,
  callId: string,
  tool: string,
  command?: string,
): AgentAuthor {
  return {
    by: 'agent',
    threadId,
    callId: CallId.parse(callId),
    agent: agentOf(callId),
    tool,
    ...optional({ command }),
    ...(isAutoApproved(callId) ? { autoApproved: true as const } : {}),
  };
}
