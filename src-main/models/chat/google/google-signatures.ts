import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk } from '@langchain/core/outputs';
import { isRecord } from '../../../base/is-record';
import { type Loose, listOf, objectOf } from '../loose';

/** Key for a candidate's parts if one of its texts is signed; ends up in `generationInfo`. */
const SIGNED_PARTS = 'deepdesk_signed_parts';

const isText = (part: unknown): part is Loose => isRecord(part) && 'text' in part && part.thought !== true;

/** What a candidate with these parts needs, so that `keepSignatures` finds the signatures of its texts. */
export const signedParts = (parts: readonly unknown[]): Loose =>
  parts.some((part) => isText(part) && typeof part.thoughtSignature === 'string')
    ? { [SIGNED_PARTS]: parts }
    : {};

/** Keeps the signatures of texts in their blocks. The package keeps only those of calls and thoughts. */
export function keepSignatures({ message, generationInfo }: ChatGenerationChunk): void {
  const parts = listOf(generationInfo?.[SIGNED_PARTS]);
  if (parts.length === 0) return;
  const { content } = message;
  // The package joins the texts of a response that has nothing else.
  const blocks =
    typeof content === 'string'
      ? parts.map((part) => ({ type: 'text', text: objectOf(part).text }))
      : content;
  message.content = blocks.map((block, at) => {
    const part = parts[at];
    const signature = isText(part) ? part.thoughtSignature : undefined;
    return signature === undefined ? block : { ...block, thoughtSignature: signature };
  }) as typeof content;
}

/** The parts of the model's answers with the signatures of their texts. `contents` was built from `messages`. */
export function withSignedTexts<C extends { role?: string; parts: Loose[] }>(
  contents: readonly C[],
  messages: readonly BaseMessage[],
): C[] {
  const answers = messages.filter((message) => AIMessage.isInstance(message));
  return contents.map((content) => {
    const said = content.role === 'model' ? answers.shift()?.content : undefined;
    if (said === undefined || typeof said === 'string') return content;
    // The package builds calls from the message's list of them, at the end.
    const blocks = said.filter((block) => !('functionCall' in block));
    const parts = content.parts.map((part, at) => {
      const signature = part.thoughtSignature ?? blocks[at]?.thoughtSignature;
      return signature === undefined ? part : { ...part, thoughtSignature: signature };
    });
    return { ...content, parts };
  });
}
