import type { SandboxBackendProtocol } from '../../commands';
import type { BackendV2, SandboxV1 } from '../../published-protocol';

/** A sandbox of either protocol, as a provider's package makes it. */
export type ProvidedSandbox = (SandboxV1 | (BackendV2 & Pick<SandboxV1, 'id' | 'execute'>)) & {
  /** Default: it runs until it is closed. */
  readonly isRunning?: boolean;
  /** Starts the sandbox if `create` does not. */
  initialize?(): unknown;
};

/** What the cases of a suite work with. All but a few share one sandbox, since creating one may take long and cost money. */
export interface Suite {
  sandbox(): SandboxBackendProtocol;
  /** The same, as it was created. */
  given(): ProvidedSandbox;
  withFiles(
    files: Record<string, string>,
    work: (sandbox: SandboxBackendProtocol) => Promise<void>,
  ): Promise<void>;
  closed(): Promise<ProvidedSandbox>;
  initialized: (() => Promise<{ before: ProvidedSandbox['isRunning']; after: ProvidedSandbox }>) | null;
  at(name: string): string;
  shell(name: string): string;
  it(name: string, work: () => void | Promise<void>): void;
}
