import type { ToolDisplay } from '../../contract/shared/tool-display';

/**
 * What a call can change: nothing, a file, what is deleted, whatever a command can, or only the thread itself. A tool that
 * delegates hands its work to an agent whose own calls are judged one by one.
 */
export type ToolEffect = 'reads' | 'writes' | 'deletes' | 'runs' | 'delegates' | 'thread';

/** What the rest of the app needs to know about a built-in tool. */
export interface ToolDescriptor {
  readonly name: string;
  readonly effect: ToolEffect;
  readonly display: ToolDisplay;
  /** Where a call names a place in the files. */
  readonly path?: {
    readonly argument: 'path' | 'file_path';
    /** The place where a call names none; without it there is none. */
    readonly byDefault?: string;
    readonly operation: 'read' | 'write';
    /** It concerns what lies below the place too. */
    readonly below: boolean;
  };
  /** What is made of its arguments before anybody judges the call; without this they stay as they are. */
  readonly arguments?: {
    /** What models write in place of a name. */
    readonly aliases?: Readonly<Record<string, string>>;
    readonly numbers?: readonly string[];
    readonly booleans?: readonly string[];
    /** Where null has a meaning; elsewhere it is the same as leaving the argument out. */
    readonly nullable?: readonly string[];
  };
  /** Arguments that are text of a file. */
  readonly fileText?: readonly string[];
  /** A large result is saved to a file. False where the tool limits its results, or they would only be read back. */
  readonly offloadsResult: boolean;
  /** Its result holds nothing from outside: what Deepdesk says, or what an agent of the thread wrote. */
  readonly resultIsOwn?: true;
  /** Its result has lines of files with their numbers: a page of one file, or matches below the names of files. */
  readonly resultLines?: 'page' | 'matches';
}
