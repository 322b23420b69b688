import type { HandlersOf } from '../../contract/rpc';
import type { Connection } from '../window/connection';
import type { ShellServices } from '../window/desktop-services';
import { saveText } from '../window/save-text';

/** Handlers for writing text to a file that the person chooses. */
export function textHandlers({ shell }: { shell: ShellServices }): HandlersOf<'text', Connection> {
  return {
    'text.save': ({ name, text }) => saveText(shell, name.replace(/[\\/\0]/g, '_'), () => text),
  };
}
