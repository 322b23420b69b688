import type { AIMessageChunk } from '@langchain/core/messages';
import type { ChatGenerationChunk } from '@langchain/core/outputs';

/**
 * Passes on the pieces of calls' arguments as one, when something else comes or the answer ends. LangChain adds each chunk to
 * the answer so far, and parses all arguments in it again: a file of 100 KB took half a minute of the main thread. Handlers
 * get the single pieces from the package before that.
 */
export async function* joinedArguments(
  chunks: AsyncIterable<ChatGenerationChunk>,
): AsyncGenerator<ChatGenerationChunk> {
  let pieces: ChatGenerationChunk[] = [];
  for await (const chunk of chunks) {
    if (isPiece(chunk)) {
      pieces.push(chunk);
      continue;
    }
    yield* joined(pieces);
    pieces = [];
    yield chunk;
  }
  yield* joined(pieces);
}

/** The first part of a call has its name. */
function isPiece({ message }: ChatGenerationChunk): boolean {
  const { tool_call_chunks: calls = [] } = message as AIMessageChunk;
  return calls.length > 0 && calls.every(({ name }) => name === undefined || name === '');
}

/** None or one. By halves, so that no piece is copied more often than the number of pieces can be halved. */
function joined(chunks: readonly ChatGenerationChunk[]): readonly ChatGenerationChunk[] {
  if (chunks.length < 2) return chunks;
  const middle = chunks.length >> 1;
  const [first] = joined(chunks.slice(0, middle));
  const [second] = joined(chunks.slice(middle));
  return first === undefined || second === undefined ? [] : [first.concat(second)];
}
