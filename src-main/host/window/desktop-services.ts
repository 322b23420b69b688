import type { MenuModel } from '../../contract/commands/menu';
import type { DrawFrame } from '../../harness/agent/media/video';

/** Answers a drawing as the contract has it, unchecked; null where it took too long. Rejects for what is no diagram. */
export type DrawDiagram = (source: string, dark: boolean) => Promise<unknown>;

/** Of the file in base64: a `VectorDrawing`, unchecked; null where it took too long. Rejects for what is no SVG. */
export type DrawVectors = (base64: string) => Promise<unknown>;

/** What only Electron (or, headless, nobody) can do; the host is given it. */
export interface ShellServices {
  /** The system's folder dialog; null when it was cancelled. */
  chooseFolder(): Promise<string | null>;
  /** The system's dialog for a file to write, with a name to begin with; null when it was cancelled. Absent: nobody to ask. */
  chooseSaveFile?(name: string): Promise<string | null>;
  /** The system's dialog for a file to read, of one of these endings. */
  chooseFile?(extensions: string[]): Promise<string | null>;
  /** Shows a file or folder in the system's file manager. */
  reveal(path: string): void;
  /** Moves a file or folder to the system's trash; absent where there is none. Rejects with what the system says. */
  trash?(path: string): Promise<void>;
  /** Opens a file with the program that the system has for it; answers what went wrong, or ''. */
  openPath?(path: string): Promise<string>;
  /** Begins a drag of these files for other programs. */
  startDrag?(paths: readonly string[]): void;
  /** Pastes into what has the focus in the window in front, as the key does. */
  paste?(): void;
  /**
   * Asks the person in a dialog of the system's, which no page can answer; false: they cancelled it. Absent: there is nobody
   * to ask.
   */
  confirm?(question: { message: string; detail: string; action: string }): Promise<boolean>;
  /** Opens an address in the system's browser, after asking the person. Answers whether it was opened. */
  openExternal(url: URL): Promise<boolean>;
  /** Encrypts keys with the system's keychain; null where there is none that deserves the name. */
  keychain: Keychain | null;
  /** Draws a frame of a video; absent where there is nothing to decode it with. */
  drawFrame?: DrawFrame;
  /** Draws Mermaid diagrams; absent where there is nothing to draw with. */
  drawDiagram?: DrawDiagram;
  /** Draws an SVG file as pixels; absent where there is nothing to draw with. */
  drawVectors?: DrawVectors;
  /** A notification of the system; nothing where it shows none. `onClick`: the person chose it. Answers what takes it away. */
  notify?(note: { title: string; body: string; onClick: () => void }): () => void;
  /** A number on the app's icon; 0 takes it away. */
  setBadge?(count: number): void;
  /** Whether a window of ours has the focus; absent: nobody knows. */
  isFocused?(): boolean;
  /** The system's language, such as `zh-CN`; absent: English. */
  locale?(): string;
  /** Shows the menus of a window; `run`: an action was chosen there. */
  setMenu?(model: MenuModel, run: (actionId: string) => void): void;
  /** Opens another window that shows what `view` names in its own storage; answers the views of all windows. */
  openWindow?(view: string): readonly string[];
  /** Ends Deepdesk in good order and starts it again. Absent: nobody can. */
  restart?(): void;
  /** Forgets what pages keep: drafts, places, caches. */
  clearPages?(): Promise<void>;
  /** Brings a window to the front, or opens one. */
  showWindow?(): void;
}

export interface Keychain {
  encrypt(text: string): Uint8Array;
  decrypt(ciphertext: Uint8Array): string;
}
