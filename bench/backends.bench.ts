// The backends beside the published package and plain means, on the same data.
import { measureContests } from './contests';
import type { GroupOptions, Row } from './row';

export default (options: GroupOptions): Promise<Row[]> => measureContests('backends', options);
