import type { MenuModel } from '../../contract/commands/menu';
import type { DrawFrame } from '../../harness/agent/media/video';

/** Returns a drawing in the contract's form, unchecked; null if it took too long. Rejects for an invalid diagram. */
export type DrawDiagram = (source: string, dark: boolean) => Promise<unknown>;

/**
 * Takes the file in base64 and returns a `VectorDrawing`, unchecked; null if it took too long. Rejects for an invalid SVG.
 */
export type DrawVectors = (base64: string) => Promise<unknown>;

/** What quitting would stop. */
export interface AtWork {
  /** Threads whose agent is working. One that waits for an answer still waits after the next start. */
  threads: number;
  /** Commands that the agent left running on purpose. */
  jobs: number;
  /** Quitting cancels the backup. */
  isBackingUp: boolean;
}

export const isAtWork = ({ threads, jobs, isBackingUp }: AtWork): boolean =>
  threads + jobs > 0 || isBackingUp;

/** Services that only Electron can provide, or nobody in headless runs. The host receives them. */
export interface DesktopServices {
  /** Opens the system's folder dialog; null if cancelled. */
  chooseFolder(): Promise<string | null>;
  /** Opens the system's save dialog with a suggested name; null if cancelled. Absent: nobody to ask. */
  chooseSaveFile?(name: string): Promise<string | null>;
  /** Opens the system's dialog for a file with one of these extensions. */
  chooseFile?(extensions: string[]): Promise<string | null>;
  /** Shows a file or folder in the system's file manager. */
  reveal(path: string): void;
  /** Moves a file or folder to the trash; absent if there is none. Rejects with the system's error. */
  trash?(path: string): Promise<void>;
  /** Opens a file with its default program; returns the error, or ''. */
  openPath?(path: string): Promise<string>;
  /** Starts a drag of these files to other programs. */
  startDrag?(paths: readonly string[]): void;
  /** Pastes into the focused element of the front window, like the shortcut. */
  paste?(): void;
  /** Asks the person in a native dialog, which no renderer can answer; false if cancelled. Absent: nobody to ask. */
  confirm?(question: { message: string; detail: string; action: string }): Promise<boolean>;
  /** Opens a URL in the system's browser after the person confirms. Returns whether it opened. */
  openExternal(url: URL): Promise<boolean>;
  /** Encrypts keys with the system's keychain; null if there is no secure one. */
  keychain: Keychain | null;
  /** Draws a frame of a video; absent without a decoder. */
  drawFrame?: DrawFrame;
  /** Draws Mermaid diagrams; absent without a renderer. */
  drawDiagram?: DrawDiagram;
  /** Draws an SVG file as pixels; absent without a renderer. */
  drawVectors?: DrawVectors;
  /**
   * Shows a desktop notification, if the system supports them. `onClick`: the person clicked it. Returns a function that
   * removes it.
   */
  notify?(note: { title: string; body: string; onClick: () => void }): () => void;
  /** Sets the number on the app's icon; 0 removes it. */
  setBadge?(count: number): void;
  /** Whether a window of ours has focus; absent: unknown. */
  isFocused?(): boolean;
  /** The system's language, such as `zh-CN`; absent: English. */
  locale?(): string;
  /** Shows the menus of a window; `run`: an action was chosen. */
  setMenu?(model: MenuModel, run: (actionId: string) => void): void;
  /** Opens another window with the view of that key in its storage; returns the views of all windows. */
  openWindow?(view: string): readonly string[];
  /** Shuts Deepdesk down cleanly and starts it again. Absent: not possible. */
  restart?(): void;
  /** Writes renderer storage to the disk. */
  flushPages?(): void;
  /** Clears renderer storage: drafts, positions, caches. */
  clearPages?(): Promise<void>;
  /** Brings a window to the front, or opens one. */
  showWindow?(): void;
}

export interface Keychain {
  encrypt(text: string): Uint8Array;
  decrypt(ciphertext: Uint8Array): string;
}
