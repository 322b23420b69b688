import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { z } from 'zod';

type Definition = { 'x-method'?: string; 'x-side'?: string };

/** The schema's mark on what either side may send, such as that a request is no longer needed. */
const BOTH_SIDES = 'protocol';

/** The JSON schema of the protocol, as its SDK ships it. */
function protocolSchema(): { $defs: Record<string, Definition> } {
  const sdk = dirname(createRequire(join(process.cwd(), 'package.json')).resolve('@agentclientprotocol/sdk'));
  return JSON.parse(readFileSync(join(sdk, '../../../schema/v1/schema.json'), 'utf8'));
}

/** Checks what an agent sends against the protocol's JSON schema. */
class ProtocolCheck {
  readonly problems: string[] = [];
  private readonly schema = protocolSchema();
  private readonly made = new Map<string, z.ZodType>();
  /** The methods of the editor's requests, by id. */
  private readonly asked = new Map<unknown, string>();

  fromEditor(message: AnyMessage): void {
    if ('method' in message && 'id' in message) this.asked.set(message.id, message.method);
  }

  fromAgent(message: AnyMessage): void {
    if (message.jsonrpc !== '2.0') this.report('a message', 'is not JSON-RPC 2.0');
    if ('method' in message) {
      const kind = 'id' in message ? 'Request' : 'Notification';
      this.check(this.named(message.method, 'client', kind), message.method, message.params);
      return;
    }
    const method = this.asked.get(message.id);
    if (method === undefined) this.report('a response', `has the unknown id ${String(message.id)}`);
    else if ('error' in message) this.check('Error', method, message.error);
    else this.check(this.named(method, 'agent', 'Response'), method, message.result);
  }

  private named(method: string, side: string, kind: string): string | undefined {
    return Object.entries(this.schema.$defs).find(
      ([name, one]) =>
        one['x-method'] === method && [side, BOTH_SIDES].includes(one['x-side'] ?? '') && name.endsWith(kind),
    )?.[0];
  }

  private check(name: string | undefined, method: string, value: unknown): void {
    if (name === undefined) {
      this.report(method, 'is not in the protocol');
      return;
    }
    const type =
      this.made.get(name) ??
      z.fromJSONSchema({ $ref: `#/$defs/${name}`, $defs: this.schema.$defs } as z.core.JSONSchema.JSONSchema);
    this.made.set(name, type);
    const { error } = type.safeParse(value);
    if (error !== undefined) this.report(method, `${z.prettifyError(error)} in ${JSON.stringify(value)}`);
  }

  private report(what: string, why: string): void {
    this.problems.push(`${what}: ${why}`);
  }
}

/** An editor's stream that notes in `problems` what the agent sends against the protocol. */
export function checkedStream({ readable, writable }: Stream): { stream: Stream; problems: string[] } {
  const check = new ProtocolCheck();
  const through = (note: (message: AnyMessage) => void) =>
    new TransformStream<AnyMessage, AnyMessage>({
      transform: (message, controller) => {
        note(message);
        controller.enqueue(message);
      },
    });
  const sent = through((message) => check.fromEditor(message));
  // An agent that has exited no longer reads.
  sent.readable.pipeTo(writable).catch(() => undefined);
  const received = readable.pipeThrough(through((message) => check.fromAgent(message)));
  return { stream: { readable: received, writable: sent.writable }, problems: check.problems };
}

/** Two ends of a connection within one process. */
export function connectedStreams(): { editor: Stream; agent: Stream } {
  const toAgent = new TransformStream<AnyMessage, AnyMessage>();
  const toEditor = new TransformStream<AnyMessage, AnyMessage>();
  return {
    editor: { readable: toEditor.readable, writable: toAgent.writable },
    agent: { readable: toAgent.readable, writable: toEditor.writable },
  };
}
