import type { AgentMessage } from '../../../contract/conversation';
import { CallId, type MessageId } from '../../../contract/ids';
import type { AgentRef } from '../../../harness';
import type { LiveThread } from '../../threads/live-thread';
import { newMessageId } from '../../threads/new-ids';
import { type CallPiece, StreamedCall } from '../calls/streamed-call';

/** Milliseconds; about two frames, so text flows while the window renders half as often. */
const JOIN_FOR = 30;

interface Answer {
  id: MessageId;
  /** The window has the message. */
  shown: boolean;
  /** What was not sent yet. */
  text: string;
  reasoning: string;
}

const ROOT = '';
/** Tells the agents of a turn apart. */
export const keyOf = (agent: AgentRef) => agent?.callId ?? ROOT;

/** Sends the answers that models are writing to the window, several pieces at a time. */
export class StreamedAnswers {
  private readonly answers = new Map<string, Answer>();
  private call: StreamedCall | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  /** An error that could not be reported; the next `flush` throws it, so that the turn fails. */
  private unreported: unknown;

  constructor(private readonly live: LiveThread) {}

  start(agent: AgentRef): void {
    this.answers.set(keyOf(agent), { id: newMessageId(), shown: false, text: '', reasoning: '' });
  }

  add(agent: AgentRef, text: string, reasoning: string): void {
    const answer = this.answers.get(keyOf(agent));
    if (!answer) return;
    answer.text += text;
    answer.reasoning += reasoning;
    this.flushSoon();
  }

  /** A piece of a call. Only what the thread's own agent writes is shown. */
  addCall(agent: AgentRef, piece: CallPiece): void {
    if (agent !== null) return;
    this.call ??= new StreamedCall();
    this.call.take(piece);
    this.flushSoon();
  }

  /** The answer is complete or cut off. Returns its message, and whether the window has it; undefined if none was started. */
  end(agent: AgentRef): Pick<Answer, 'id' | 'shown'> | undefined {
    if (agent === null && this.call !== undefined) {
      this.call = undefined;
      if (!this.isClosed) this.tellWriting();
    }
    const answer = this.answers.get(keyOf(agent));
    this.answers.delete(keyOf(agent));
    return answer;
  }

  /** Sends what was not sent yet. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isClosed) return;
    if (this.unreported !== undefined) {
      const error = this.unreported;
      this.unreported = undefined;
      throw error;
    }
    if (this.call !== undefined) this.tellWriting();
    for (const [key, answer] of this.answers) {
      if (answer.text === '' && answer.reasoning === '') continue;
      this.send(key, answer);
    }
  }

  /** Nothing is sent any more. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private flushSoon(): void {
    if (!this.isClosed) this.timer ??= setTimeout(() => this.flushLater(), JOIN_FOR);
  }

  /** A timer has no caller that could handle an error. */
  private flushLater(): void {
    try {
      this.flush();
    } catch (error) {
      this.unreported = error;
    }
  }

  private send(key: string, answer: Answer): void {
    const { id, text, reasoning } = answer;
    answer.text = '';
    answer.reasoning = '';
    endRetry(this.live);
    if (answer.shown) {
      this.live.emit({ type: 'message.delta', messageId: id, text, reasoning });
    } else {
      answer.shown = true;
      const message = blankAnswer(id, key === ROOT ? null : { callId: key, name: '' });
      this.live.emit({ type: 'message.added', message: { ...message, text, reasoning } });
    }
  }

  /** Reports what the thread's own agent is writing, if that changed. */
  private tellWriting(): void {
    const { turn } = this.live.state;
    if (turn.phase !== 'running') return;
    const writing = this.call?.writing ?? null;
    const { writing: told } = turn;
    const isTold =
      writing === null
        ? told === undefined
        : told?.display === writing.display && told.path === writing.path && told.lines === writing.lines;
    if (!isTold) this.live.emit({ type: 'turn.writing', turnId: turn.turnId, writing });
  }
}

/** The model answers again: nothing waits for another attempt. */
export function endRetry(live: LiveThread): void {
  const { turn } = live.state;
  if (turn.phase === 'running' && turn.retry !== undefined)
    live.emit({ type: 'turn.retrying', turnId: turn.turnId, retry: null });
}

export function blankAnswer(id: MessageId, agent: AgentRef): AgentMessage {
  return {
    role: 'agent',
    id,
    at: Date.now(),
    text: '',
    reasoning: '',
    calls: [],
    phase: 'streaming',
    ...(agent === null ? {} : { parentCallId: CallId.parse(agent.callId) }),
  };
}
