import type { ContentBlock } from '@langchain/core/messages';
import type { Reasons } from '../contract/shared/reasons';
import type { Clock } from './clock';
import type { TargetOptions } from './server-target';
import type { ToolList } from './tools/tool-list';
import type { ProcessKeeper } from './transport/processes';

export interface ServerOptions extends TargetOptions {
  version: string;
  /** Whether it may still start. Default: yes. */
  mayStart?: (() => Promise<boolean>) | undefined;
  /** Opens an address in the person's browser. False: they declined. */
  openBrowser: (url: URL) => Promise<boolean>;
  processes: ProcessKeeper;
  clock: Clock;
  /** The tools of its last run, so that no turn waits for it; null if unknown. */
  remembered: ToolList | null;
  onListed: (list: ToolList) => void;
  onChanged: () => void;
  /** The server said that its tools have changed. */
  onStale: () => void;
}

/** The result of a call: the server's answer, or the reason why there is none. */
export interface CallOutcome {
  ok: boolean;
  content: string | ContentBlock[];
  /** Why it failed, unless only the server's words tell. */
  failure?: Reasons;
}
