import type { ChatGenerationChunk } from '@langchain/core/outputs';

/**
 * Puts the reason to stop where the finished message keeps it. The packages give it beside the chunk, and LangChain
 * drops it from there when an answer is streamed to a handler, so that a cut answer would look like a whole one.
 */
export async function* keepStopReason(
  chunks: AsyncGenerator<ChatGenerationChunk>,
): AsyncGenerator<ChatGenerationChunk> {
  for await (const chunk of chunks) {
    const reason: unknown = chunk.generationInfo?.finish_reason ?? chunk.generationInfo?.finishReason;
    if (typeof reason === 'string') {
      chunk.message.response_metadata = { ...chunk.message.response_metadata, finish_reason: reason };
    }
    yield chunk;
  }
}
