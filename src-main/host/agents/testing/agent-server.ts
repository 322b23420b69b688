import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A run on the server's thread. */
interface ServedRun {
  id: string;
  text: string;
  status: string;
}

interface AgentServer {
  url: string;
  /** The requests so far: method and path. */
  asked: string[];
  /** Runs by the server's thread, oldest first. */
  runs: Map<string, ServedRun[]>;
  /** Ends the last run of every thread with a report. */
  finish(report: string): void;
  /** Answers nothing as long as it is set. */
  away: boolean;
  /** Requests that are carried out, and whose answers are lost. */
  lost: RegExp | null;
  /** Sends every request on to this address. */
  redirectTo: string | null;
  /** Runs when a request is done, before its answer is sent. */
  beforeAnswer: ((request: string) => Promise<void>) | null;
  close(): Promise<void>;
}

/** A server with the paths of LangGraph's that remote agents need. It accepts one key in `x-api-key`, and has one graph. */
export async function startAgentServer({ key, graph }: { key: string; graph: string }): Promise<AgentServer> {
  const runs: AgentServer['runs'] = new Map();
  const reports = new Map<string, string>();
  const state: Pick<AgentServer, 'asked' | 'away' | 'lost' | 'redirectTo' | 'beforeAnswer'> = {
    asked: [],
    away: false,
    lost: null,
    redirectTo: null,
    beforeAnswer: null,
  };
  const ROUTES: [RegExp, (groups: string[], body: Record<string, unknown>) => unknown][] = [
    [
      /^POST \/assistants\/search$/,
      (_, body) => (body.graph_id === graph ? [{ assistant_id: 'a', graph_id: graph }] : []),
    ],
    [
      /^POST \/threads$/,
      () => {
        const id = `task-${runs.size + 1}`;
        runs.set(id, []);
        return { thread_id: id };
      },
    ],
    [
      /^POST \/threads\/([^/]+)\/runs$/,
      ([thread = ''], body) => {
        const own = runs.get(thread);
        if (own === undefined) return undefined;
        for (const run of own) if (run.status === 'running') run.status = 'interrupted';
        const { messages } = body.input as { messages: { content: string }[] };
        const run = {
          id: `${thread}-run-${own.length + 1}`,
          text: messages.at(-1)?.content ?? '',
          status: 'running',
        };
        own.push(run);
        return { run_id: run.id, status: run.status };
      },
    ],
    [
      /^POST \/threads\/([^/]+)\/runs\/([^/]+)\/cancel/,
      ([thread = '', id]) => {
        const run = runs.get(thread)?.find((one) => one.id === id);
        if (run !== undefined) run.status = 'interrupted';
        return run && {};
      },
    ],
    [
      /^GET \/threads\/([^/]+)\/runs\/([^/]+)$/,
      ([thread = '', id]) => runs.get(thread)?.find((one) => one.id === id),
    ],
    [
      /^GET \/threads\/([^/]+)\/state/,
      ([thread = '']) =>
        runs.has(thread) && {
          values: { messages: [{ type: 'ai', content: reports.get(thread) ?? '' }] },
        },
    ],
  ];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (state.away) return void request.socket.destroy();
    const text = Buffer.concat(chunks).toString();
    const path = `${request.method} ${request.url}`;
    state.asked.push(path);
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (state.redirectTo !== null) {
      response.writeHead(307, { location: `${state.redirectTo}${request.url}` });
      return void response.end();
    }
    if (request.headers['x-api-key'] !== key) return answer(401, { detail: 'wrong key' });
    for (const [pattern, run] of ROUTES) {
      const match = pattern.exec(path);
      const result = match && run(match.slice(1), text === '' ? {} : JSON.parse(text));
      if (match) await state.beforeAnswer?.(path);
      if (match && state.lost?.test(path)) return void request.socket.destroy();
      if (match) return result ? answer(200, result) : answer(404, { detail: 'not found' });
    }
    answer(404, { detail: 'no such path' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    runs,
    finish: (report: string) => {
      for (const [thread, own] of runs) {
        const last = own.at(-1);
        if (last?.status !== 'running') continue;
        last.status = 'success';
        reports.set(thread, report);
      }
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}
