import type { HandlersOf } from '../../contract/rpc';
import type { Connection } from '../window/connection';
import type { ShellServices } from '../window/desktop-services';
import { saveText } from '../window/save-text';

/** What the window asks to have written to a file of the person's choice. */
export function textHandlers({ shell }: { shell: ShellServices }): HandlersOf<'text', Connection> {
  return {
    'text.save': ({ name, text }) => saveText(shell, name.replace(/[\\/\0]/g, '_'), () => text),
  };
}
