// The backends compared with the published package and direct implementations, on the same data.
import { measureContests } from './contests';
import type { GroupOptions, Row } from './row';

export default (options: GroupOptions): Promise<Row[]> => measureContests('backends', options);
