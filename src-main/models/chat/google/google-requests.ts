import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { isRecord } from '../../../base/is-record';
import { isServiceId } from './google-ids';
import { withSignedTexts } from './google-signatures';

type Part = Record<string, unknown>;

interface Content {
  role?: string;
  parts: Part[];
}

/** The parts of a request to Gemini that are changed here. */
export interface GoogleRequest {
  contents: Content[];
  [more: string]: unknown;
}

/**
 * Corrects what the package builds. The results of parallel calls are one content, because the service rejects a request
 * whose next content has fewer results than there were calls. The service's own ids of calls are sent back, its
 * signatures of texts, and of parallel calls only the signatures that it gave. Empty texts without one, which some models
 * reject, are left out. `messages` is what the request was built from.
 */
export function fixRequest(request: GoogleRequest, messages: readonly BaseMessage[]): GoogleRequest {
  const signatures = new Set(messages.flatMap(signaturesOf));
  const contents: Content[] = [];
  for (const { role, parts } of withSignedTexts(withIds(request.contents, messages), messages)) {
    const said = asSigned(parts, signatures).filter(
      (part) => part.text !== '' || part.thoughtSignature !== undefined,
    );
    const last = contents.at(-1);
    if (said.length === 0) continue;
    if (last !== undefined && last.role === role && areResults(last.parts) && areResults(said))
      last.parts.push(...said);
    else contents.push({ ...(role === undefined ? {} : { role }), parts: said });
  }
  return { ...request, contents };
}

const areResults = (parts: readonly Part[]): boolean =>
  parts.every(({ functionResponse }) => isRecord(functionResponse));

/** The package's own key. */
const SIGNATURES = '__gemini_function_call_thought_signatures__';

const signaturesOf = ({ additional_kwargs: more }: BaseMessage): unknown[] =>
  isRecord(more[SIGNATURES]) ? Object.values(more[SIGNATURES]) : [];

/** The service signs the first of parallel calls. The package makes up signatures for the others, as for unsigned calls. */
function asSigned(parts: readonly Part[], signatures: ReadonlySet<unknown>): Part[] {
  const isSigned = parts.some((part) => signatures.has(part.thoughtSignature));
  return parts.map((part) => {
    if (!isSigned || !isRecord(part.functionCall) || signatures.has(part.thoughtSignature)) return part;
    const { thoughtSignature: _, ...unsigned } = part;
    return unsigned;
  });
}

/** The package writes calls and results in the order of the messages, without their ids. */
function withIds(contents: readonly Content[], messages: readonly BaseMessage[]): Content[] {
  const calls = messages.flatMap((message) => {
    if (!AIMessage.isInstance(message)) return [];
    const isOwn = message.response_metadata.model_provider === 'google-genai';
    return (message.tool_calls ?? []).map(({ id }) => (isOwn && isServiceId(id) ? id : undefined));
  });
  const known = new Set(calls);
  const results = messages.flatMap((message) =>
    ToolMessage.isInstance(message)
      ? [known.has(message.tool_call_id) ? message.tool_call_id : undefined]
      : [],
  );
  const withId = (
    part: Part,
    kind: 'functionCall' | 'functionResponse',
    ids: (string | undefined)[],
  ): Part => {
    const value = part[kind];
    if (!isRecord(value)) return part;
    const id = ids.shift();
    return id === undefined ? part : { ...part, [kind]: { id, ...value } };
  };
  return contents.map(({ role, parts }) => ({
    ...(role === undefined ? {} : { role }),
    parts: parts.map((part) => withId(withId(part, 'functionCall', calls), 'functionResponse', results)),
  }));
}
