// What our harness costs above LangChain's createAgent, and what a step costs when there is much already.
import { measureContests } from './contests';
import type { GroupOptions, Row } from './row';

export default (options: GroupOptions): Promise<Row[]> => measureContests('harness', options);
