import type { ChatGenerationChunk } from '@langchain/core/outputs';

/**
 * Moves the stop reason to a place where the finished message keeps it. The packages put it beside the chunk, and LangChain
 * drops it there when an answer is streamed to a handler, so a cut answer would look complete.
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
