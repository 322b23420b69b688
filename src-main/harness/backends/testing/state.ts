import { type FileData, fileDataReducer } from '../protocol';
import { StateBackend } from '../state';

/** A backend on the state of a thread of its own. */
export function state(): StateBackend {
  let files: Record<string, FileData> = {};
  return new StateBackend({
    files: {
      read: () => files,
      send: (update) => {
        files = fileDataReducer(files, update);
      },
    },
  });
}
