import { randomUUID } from 'node:crypto';
import { MessageId, TurnId } from '../../contract/ids';

export const newMessageId = (): MessageId => MessageId.parse(randomUUID());

export const newTurnId = (): TurnId => TurnId.parse(randomUUID());
