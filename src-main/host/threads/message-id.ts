import { randomUUID } from 'node:crypto';
import { MessageId } from '../../contract/ids';

export const newMessageId = (): MessageId => MessageId.parse(randomUUID());
