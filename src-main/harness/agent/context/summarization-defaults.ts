import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { KEEP_KNOWN, KEEP_UNKNOWN, TRIGGER_KNOWN, TRIGGER_UNKNOWN } from './budget';
import type { ContextSize } from './cut-point';

/** When to cut the long arguments of old write and edit calls, and how. */
export interface TruncateArgsSettings {
  /** Default: before a summary. */
  trigger?: ContextSize;
  /** Messages whose arguments stay whole. Default: 20 messages. */
  keep?: ContextSize;
  /** Characters of an argument that is not cut. Default 2,000. */
  maxLength?: number;
  /** Follows the beginning of a cut argument. */
  truncationText?: string;
}

const CUT_UNKNOWN: ContextSize = { type: 'messages', value: 20 };

/** When the context of an agent with that model is summarized, unless options say otherwise. */
export function computeSummarizationDefaults(model: BaseChatModel): {
  /** A request of this size is summarized. */
  trigger: ContextSize;
  /** The newest part, which is not summarized. */
  keep: ContextSize;
  /** When long arguments of old calls are cut. */
  truncateArgsSettings: TruncateArgsSettings;
} {
  const tokens = (model.profile as { maxInputTokens?: unknown } | undefined)?.maxInputTokens;
  return typeof tokens === 'number'
    ? {
        trigger: TRIGGER_KNOWN,
        keep: KEEP_KNOWN,
        truncateArgsSettings: { trigger: TRIGGER_KNOWN, keep: KEEP_KNOWN },
      }
    : {
        trigger: TRIGGER_UNKNOWN,
        keep: KEEP_UNKNOWN,
        truncateArgsSettings: { trigger: CUT_UNKNOWN, keep: CUT_UNKNOWN },
      };
}
