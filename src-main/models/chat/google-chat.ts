import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseMessage } from '@langchain/core/messages';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { keepStopReason } from './stop-reason';

export class GoogleChat extends ChatGoogleGenerativeAI {
  override _streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ) {
    return keepStopReason(super._streamResponseChunks(messages, options, runManager));
  }
}
