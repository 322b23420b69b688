import { adaptSandboxProtocol } from '../adapt';
import type { ExecuteOptions } from '../commands';
import { type Failure, failure, isFailure } from '../failure';
import type { BackendProtocol } from '../protocol';
import type { AnyBackend } from '../published-protocol';
import { SandboxBackend, type SandboxClient } from '../sandbox/sandbox';
import { bytesOf } from '../text/content';
import { runCommand } from './commands';
import { encodedTransfer } from './encoded-transfer';
import type { ProviderKind, ProviderOptions } from './options';
import { createVfs } from './vfs';

/** A running sandbox of a provider. */
export interface OpenedSandbox {
  /** Files and commands of the sandbox. */
  backend: BackendProtocol;
  /** False after `close`. */
  readonly isRunning: boolean;
  /** Closes the sandbox with everything in it: later calls fail. Closing twice does nothing. */
  close(): Promise<void>;
}

interface Provider {
  /** The published package. Users who want it install it. */
  package: string;
  /** The package's class that has `create`. */
  className: string;
  title: string;
  /** Whether the package itself transfers bytes unchanged. */
  movesBytes: boolean;
}

type RemoteKind = Exclude<ProviderKind, 'vfs'>;

const PROVIDERS: Record<RemoteKind, Provider> = {
  modal: { package: '@langchain/modal', className: 'ModalSandbox', title: 'Modal', movesBytes: false },
  daytona: { package: '@langchain/daytona', className: 'DaytonaSandbox', title: 'Daytona', movesBytes: true },
  // Its files are transferred as text, and its paths become part of a shell command.
  deno: { package: '@langchain/deno', className: 'DenoSandbox', title: 'Deno', movesBytes: false },
};

/**
 * A provider's sandbox, created by the provider's published package, which is resolved on each call. Only `execute` and file
 * transfer of the package are used. Pages, searches and edits come from SandboxBackend, so that they mean the same
 * everywhere. `vfs` keeps files in memory and does not need a package. Errors: `invalid` for an unknown provider, `unsupported` if
 * the package is not installed or not as expected, `no_key` if the provider rejected the credentials, `provider` for its other
 * errors.
 */
export async function openSandbox<K extends ProviderKind>(
  kind: K,
  options: ProviderOptions[K],
  load: (name: string) => Promise<unknown> = (name) => import(/* @vite-ignore */ name),
): Promise<OpenedSandbox | Failure> {
  if (kind === 'vfs') return openVfs(options);
  const provider: Provider | undefined = PROVIDERS[kind as RemoteKind];
  if (provider === undefined)
    return failure(
      'invalid',
      `There is no provider '${kind}': use ${[...Object.keys(PROVIDERS), 'vfs'].join(', ')}.`,
    );
  const create = await creatorOf(provider, load);
  if (isFailure(create)) return create;
  const { root, initialFiles = {}, ...own } = options as ProviderOptions['deno'];
  let made: unknown;
  try {
    made = await create(own);
  } catch (thrown) {
    return creationFailure(provider, thrown);
  }
  if (!isProvided(made))
    return failure('unsupported', `${provider.package} made no sandbox that can be used here: update it.`);
  const opened = around(made, provider, root);
  for (const [path, content] of Object.entries(initialFiles)) {
    const failed = await putInitial(opened.client, path, bytesOf(content));
    if (failed === null) continue;
    await opened.close();
    return failed;
  }
  return opened;
}

async function openVfs(options: ProviderOptions['vfs']): Promise<OpenedSandbox | Failure> {
  const made = await createVfs(options);
  if (isFailure(made)) return made;
  let isRunning = true;
  return {
    backend: made.backend,
    get isRunning() {
      return isRunning;
    },
    close: async () => {
      isRunning = false;
      made.close();
    },
  };
}

type Create = (options: object) => unknown;

async function creatorOf(
  provider: Provider,
  load: (name: string) => Promise<unknown>,
): Promise<Create | Failure> {
  let module: unknown;
  try {
    module = await load(provider.package);
  } catch (thrown) {
    const text = thrown instanceof Error ? thrown.message : String(thrown);
    return failure(
      'unsupported',
      `${provider.title} sandboxes need the package ${provider.package}: npm install ${provider.package} deepagents (${text.split('\n')[0]})`,
    );
  }
  const found = isObject(module) ? Reflect.get(module, provider.className) : undefined;
  const create: unknown = typeof found === 'function' ? Reflect.get(found, 'create') : undefined;
  if (typeof create !== 'function')
    return failure('unsupported', `${provider.package} has no ${provider.className}.create: update it.`);
  return (options) => Reflect.apply(create, found, [options]) as unknown;
}

/** The parts of a provider's sandbox that are used. */
type Provided = AnyBackend & Pick<SandboxClient, 'execute' | 'uploadFiles' | 'downloadFiles'>;

function isProvided(made: unknown): made is Provided {
  return (
    isObject(made) &&
    ['execute', 'uploadFiles', 'downloadFiles', 'read', 'write', 'edit'].every(
      (name) => typeof Reflect.get(made, name) === 'function',
    )
  );
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function around(
  made: Provided,
  provider: Provider,
  root: string | undefined,
): OpenedSandbox & { client: SandboxClient } {
  const sandbox = adaptSandboxProtocol(made);
  let isRunning = true;
  const direct: SandboxClient = {
    // A closed sandbox has no id.
    get id() {
      return isRunning ? sandbox.id : '';
    },
    execute: (command: string, options?: ExecuteOptions) =>
      isRunning
        ? runCommand((text) => sandbox.execute(text), command, options)
        : { output: 'Error: the sandbox is closed.', exitCode: 1, truncated: false },
    uploadFiles: async (files) =>
      isRunning
        ? ((await sandbox.uploadFiles?.(files)) ?? [])
        : files.map(([path]) => ({ path, error: 'permission_denied' })),
    downloadFiles: async (paths) =>
      isRunning
        ? ((await sandbox.downloadFiles?.(paths)) ?? [])
        : paths.map((path) => ({ path, content: null, error: 'permission_denied' })),
  };
  const client = provider.movesBytes ? direct : encodedTransfer(direct);
  return {
    client,
    backend: new SandboxBackend(client, root === undefined ? {} : { root }),
    get isRunning() {
      return isRunning;
    },
    close: async () => {
      if (!isRunning) return;
      isRunning = false;
      for (const name of ['close', 'stop', 'kill']) {
        const end: unknown = Reflect.get(made, name);
        if (typeof end !== 'function') continue;
        await Reflect.apply(end, made, []);
        return;
      }
    },
  };
}

async function putInitial(client: SandboxClient, path: string, content: Uint8Array): Promise<Failure | null> {
  const answer = await new SandboxBackend(client).uploadFiles([[path, content]]);
  const error = answer[0]?.error ?? null;
  return error === null
    ? null
    : failure('invalid', `The initial file '${path}' could not be created (${error}).`);
}

function creationFailure(provider: Provider, thrown: unknown): Failure {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : '';
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return failure(code === 'AUTHENTICATION_FAILED' ? 'no_key' : 'provider', `${provider.title}: ${text}`);
}
