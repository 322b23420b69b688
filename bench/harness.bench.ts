// What our harness costs beyond LangChain's createAgent, and what a step costs in a long thread.
import { measureContests } from './contests';
import type { GroupOptions, Row } from './row';

export default (options: GroupOptions): Promise<Row[]> => measureContests('harness', options);
