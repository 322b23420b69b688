// What a turn pays for being able to undo everything it changes.
import { measureContests } from './contests';
import type { GroupOptions, Row } from './row';

export default (options: GroupOptions): Promise<Row[]> => measureContests('changes', options);
