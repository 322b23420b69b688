import { ChatOpenAIResponses, type OpenAIClient } from '@langchain/openai';
import { documentedResponse } from './documented-response';

type Streaming = OpenAIClient.Responses.ResponseCreateParamsStreaming;
type NotStreaming = OpenAIClient.Responses.ResponseCreateParamsNonStreaming;
type Event = OpenAIClient.Responses.ResponseStreamEvent;
type Whole = OpenAIClient.Responses.Response;
type Options = OpenAIClient.RequestOptions;

/** OpenAI's Responses API, also of servers that leave out some of its events. */
export class Responses extends ChatOpenAIResponses {
  override completionWithRetry(request: Streaming, options?: Options): Promise<AsyncIterable<Event>>;
  override completionWithRetry(request: NotStreaming, options?: Options): Promise<Whole>;
  override async completionWithRetry(
    request: Streaming | NotStreaming,
    options?: Options,
  ): Promise<AsyncIterable<Event> | Whole> {
    if (request.stream !== true) return super.completionWithRetry(request, options);
    return documentedResponse(await super.completionWithRetry(request, options));
  }
}
