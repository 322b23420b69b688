import type { HandlersOf } from '../../contract/rpc';
import type { Connection } from '../window/connection';
import { type SaveParts, saveText } from '../window/save-text';

/** Handlers for writing text to a file that the person chooses. */
export function textHandlers(parts: SaveParts): HandlersOf<'text', Connection> {
  return {
    'text.save': ({ name, text }) => saveText(parts, name.replace(/[\\/\0]/g, '_'), () => text),
  };
}
