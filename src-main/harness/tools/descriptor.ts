import type { ToolDisplay } from '../../contract/shared/tool-display';

/**
 * What a call can change: nothing, a file, the files it deletes, anything a command can, or only the thread itself. A tool
 * that delegates hands its work to an agent whose calls are judged one by one. A tool that asks has the person's answer as
 * its result. A tool that fetches reads from a host on the web, and sends it an address. A tool that sends gives text to an
 * agent on a server, which works there.
 */
export type ToolEffect =
  | 'reads'
  | 'writes'
  | 'deletes'
  | 'runs'
  | 'delegates'
  | 'thread'
  | 'asks'
  | 'fetches'
  | 'sends';

/** What the rest of the app needs to know about a built-in tool. */
export interface ToolDescriptor {
  readonly name: string;
  readonly effect: ToolEffect;
  readonly display: ToolDisplay;
  /** Which argument names a path. */
  readonly path?: {
    readonly argument: 'path' | 'file_path';
    /** The path if the call names none. Without a default there is no path. */
    readonly byDefault?: string;
    readonly operation: 'read' | 'write';
    /** The call also affects everything below the path. */
    readonly below: boolean;
  };
  /** How arguments are normalized before anything judges the call. Without this they stay as they are. */
  readonly arguments?: {
    /** Aliases that models use for an argument name. */
    readonly aliases?: Readonly<Record<string, string>>;
    /** Arguments without a default, all of them texts. */
    readonly required?: readonly string[];
    readonly numbers?: readonly string[];
    readonly booleans?: readonly string[];
    /** Arguments where null has a meaning. Elsewhere null means the argument was left out. */
    readonly nullable?: readonly string[];
    /** Arguments where an empty text means the argument was left out. */
    readonly emptyIsNone?: readonly string[];
    /** The lowest and the highest value of a number. Others are brought to the nearest of the two, and to whole numbers. */
    readonly ranges?: Readonly<Record<string, readonly [number, number]>>;
  };
  /** Arguments that hold file text. */
  readonly fileText?: readonly string[];
  /**
   * Whether a large result is saved to a file. False if the tool limits its results, or if the model would only read the
   * file back.
   */
  readonly offloadsResult: boolean;
  /** The result has no outside content, only text from this program or from an agent of the thread. */
  readonly resultIsOwn?: true;
  /** The result has numbered lines of files: a page of one file, or matches below file names. */
  readonly resultLines?: 'page' | 'matches';
}
