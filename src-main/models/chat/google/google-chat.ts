import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk } from '@langchain/core/outputs';
import { ChatGoogleGenerativeAI, type GoogleGenerativeAIChatInput } from '@langchain/google-genai';
import { guardGlobalFetch } from '../../../base/network/guarded-fetch';
import { guardedStream, profileOf, type StreamRules } from '../guarded-stream';
import { historyFor } from '../history';
import { modalitiesOf } from '../media';
import { keepStopReason } from '../stop-reason';
import { geminiSchema } from './gemini-schema';
import { serviceError } from './google-errors';
import { googleFetch } from './google-fetch';
import { fixRequest, type GoogleRequest } from './google-requests';
import { fixResponses, type GoogleResponse, REASONING_TOKENS } from './google-responses';
import { keepSignatures } from './google-signatures';

/** Gemini, with the token counts, stop reasons and stream errors that the package loses. */
export class GoogleChat extends ChatGoogleGenerativeAI {
  constructor(
    fields: GoogleGenerativeAIChatInput,
    private readonly rules: StreamRules,
  ) {
    super(fields);
    // Its package does not accept a custom `fetch`.
    guardGlobalFetch(googleFetch);
    patchClient(Reflect.get(this, 'client'));
    patchRequests(this);
  }

  override get profile() {
    return {
      ...profileOf(super.profile, this.rules),
      // Models before version 3 refuse a request with both tools and an answer schema.
      structuredOutput: this.model.startsWith('gemini-3'),
    };
  }

  override invocationParams(options?: this['ParsedCallOptions']) {
    const schema = options?.responseSchema;
    const params = super.invocationParams(
      options === undefined || schema === undefined
        ? options
        : { ...options, responseSchema: geminiSchema({ ...schema }) },
    );
    // The package removes only some of the fields that Gemini does not support from tool schemas.
    for (const tool of params.tools ?? []) {
      if (!('functionDeclarations' in tool)) continue;
      for (const declared of tool.functionDeclarations ?? []) {
        const { parameters } = declared;
        if (parameters !== undefined)
          Object.assign(declared, { parameters: geminiSchema({ ...parameters }) });
      }
    }
    return params;
  }

  override _streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const history = historyFor(
      'google',
      messages,
      modalitiesOf(this.rules.facts.abilities, this.rules.model),
    );
    return guardedStream(this.rules, options.signal, (signal) =>
      withKeptData(keepStopReason(super._streamResponseChunks(history, { ...options, signal }, runManager))),
    );
  }
}

interface Client {
  generateContentStream(
    ...args: unknown[]
  ): Promise<{ stream: AsyncGenerator<GoogleResponse>; response: Promise<unknown> }>;
}

const isClient = (value: unknown): value is Client =>
  typeof value === 'object' &&
  value !== null &&
  'generateContentStream' in value &&
  typeof value.generateContentStream === 'function';

/** The method that builds a request is private. The request alone does not show which result belongs to which call. */
function patchRequests(model: GoogleChat): void {
  const name = '_buildGenerateContentRequest';
  const build: unknown = Reflect.get(model, name);
  if (typeof build !== 'function') throw new Error('The class of @langchain/google-genai is not as it was.');
  Reflect.set(model, name, (messages: BaseMessage[], options: unknown) =>
    fixRequest(build.call(model, messages, options) as GoogleRequest, messages),
  );
}

/** The package's client is private, and nothing else sees the service's actual responses. */
function patchClient(client: unknown): void {
  if (!isClient(client)) throw new Error('The client of @langchain/google-genai is not as it was.');
  const original = client.generateContentStream.bind(client);
  client.generateContentStream = async (...args) => {
    const { stream, response } = await original(...args).catch((error: unknown) => {
      throw serviceError(error);
    });
    // Nobody awaits the whole response, so its failure would be an unhandled rejection.
    response.catch(() => undefined);
    return { stream: fixResponses(stream), response };
  };
}

/** What `fixResponses` saved, in the message. */
async function* withKeptData(
  chunks: AsyncGenerator<ChatGenerationChunk>,
): AsyncGenerator<ChatGenerationChunk> {
  for await (const chunk of chunks) {
    const reasoning: unknown = chunk.generationInfo?.[REASONING_TOKENS];
    const { message } = chunk;
    if (typeof reasoning === 'number' && 'usage_metadata' in message && isObject(message.usage_metadata)) {
      Object.assign(message.usage_metadata, { output_token_details: { reasoning } });
    }
    keepSignatures(chunk);
    yield chunk;
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
