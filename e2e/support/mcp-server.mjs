// An MCP server for tests that can fail in the ways that servers do. Uses the official SDK, which speaks the current protocol
// revision and the older handshake, as the client asks.
//   node mcp-server.mjs [stdio|http|sse] [fault]
// `http` and `sse` print their address on the first line. Faults: old (knows only the older handshake), abrupt (exits at any
// other opening), silent (never answers), dies (at its start), junk (prints lines
// that are not messages), odd (offers tools with invalid descriptions), endless (a tool list without an end). `library` is not a fault:
// it has resources and prompts too.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import {
  createMcpHandler,
  inputRequired,
  isInitializeRequest,
  Server,
  UrlElicitationRequiredError,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';

const [, , transport = 'stdio', fault = ''] = process.argv;

// A killed test cannot stop a listening server, and an open output keeps the runner alive.
if (transport !== 'stdio') {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && process.exit(), 1_000).unref();
}

/** A PNG of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const object = (/** @type {Record<string, unknown>} */ properties, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
const text = (/** @type {string} */ value, more = {}) => ({
  content: [{ type: 'text', text: value }],
  ...more,
});
const string = { type: 'string' };

/** @type {Record<string, unknown>[]} */
const grown = [];
/** Names of tools that the server no longer lists. @type {Set<unknown>} */
const removed = new Set();
const tools = [
  {
    name: 'echo',
    description: 'Says it again.',
    inputSchema: object({ text: string }),
    annotations: { readOnlyHint: true },
  },
  {
    name: 'add',
    description: 'Adds two numbers.',
    inputSchema: object({ a: { type: 'number' }, b: { type: 'number' } }),
  },
  { name: 'env', description: 'The value of a variable.', inputSchema: object({ name: string }) },
  {
    name: 'fail',
    description: 'Reports an error.',
    inputSchema: object({}),
    annotations: { destructiveHint: true },
  },
  { name: 'crash', description: 'Ends the server in the middle of the call.', inputSchema: object({}) },
  { name: 'slow', description: 'Answers when it is told to stop.', inputSchema: object({ marker: string }) },
  { name: 'hang', description: 'Stops answering anything.', inputSchema: object({ marker: string }, []) },
  { name: 'huge', description: 'A long text.', inputSchema: object({ length: { type: 'number' } }) },
  { name: 'picture', description: 'A picture with words.', inputSchema: object({}) },
  { name: 'data', description: 'Structured data without words.', inputSchema: object({}) },
  { name: 'ask', description: 'Asks the person.', inputSchema: object({ times: { type: 'number' } }, []) },
  { name: 'ask_page', description: 'Asks the person to open a page.', inputSchema: object({}) },
  {
    name: 'page_first',
    description: 'Works only after the person has been on a page, which leaves a file there.',
    inputSchema: object({ marker: string, tells: { type: 'boolean' } }, ['marker']),
  },
  { name: 'steps', description: 'Works in two steps.', inputSchema: object({ marker: string }) },
  { name: 'grow', description: 'Adds a tool.', inputSchema: object({ name: string }) },
  { name: 'shrink', description: 'Removes a tool.', inputSchema: object({ name: string }) },
  {
    name: 'change',
    description: 'Gives a tool one argument of this name.',
    inputSchema: object({ name: string, argument: string }),
  },
  {
    name: 'child',
    description: 'Starts a program that ignores being asked to end.',
    inputSchema: object({ seconds: string }),
  },
];
const odd = [
  { name: 'no-schema', description: 'Has none.' },
  { name: 'not-an-object', inputSchema: { type: 'string' } },
  {
    name: 'broken.reference',
    inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/nowhere' } } },
  },
  { name: 'a tool/with odd letters', inputSchema: object({}) },
];
/** Schemas that make argument validation run forever. */
const hostile = [
  { name: 'regex', inputSchema: object({ a: { type: 'string', pattern: '^(a+)+$' } }) },
  {
    name: 'names',
    inputSchema: { type: 'object', patternProperties: { '^(a+)+$': string }, additionalProperties: false },
  },
  { name: 'url', inputSchema: object({ a: { type: 'string', format: 'url' } }) },
  {
    name: 'doubling',
    inputSchema: {
      type: 'object',
      allOf: [{ $ref: '#/$defs/d0' }],
      $defs: Object.fromEntries(
        Array.from({ length: 40 }, (_, n) => [
          `d${n}`,
          n === 39
            ? { required: ['x'] }
            : { anyOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
        ]),
      ),
    },
  },
  {
    name: 'deep',
    inputSchema: JSON.parse(
      `{"type":"object","properties":{"a":${'{"not":'.repeat(2_000)}{}${'}'.repeat(2_000)}}}`,
    ),
  },
  {
    name: 'wide',
    inputSchema: object({
      list: {
        type: 'array',
        items: { anyOf: Array.from({ length: 2_000 }, (_, n) => object({ a: { const: n } })) },
      },
    }),
  },
  { name: 'itself', inputSchema: { type: 'object', anyOf: [{ $ref: '#' }, { $ref: '#' }] } },
];

/** What `ask` and `ask_page` ask. @type {any} */
const ORDER = {
  message: 'Which table would you like?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Your name', minLength: 1 },
      guests: { type: 'integer', title: 'Guests', description: 'At most eight', minimum: 1, maximum: 8 },
      place: { type: 'string', title: 'Place', enum: ['in', 'out'], enumNames: ['Inside', 'Outside'] },
      quiet: { type: 'boolean', title: 'Quiet corner' },
    },
    required: ['name', 'guests'],
  },
};
const PAGE = {
  message: 'Please confirm on our page.',
  url: 'https://example.com/confirm?order=7',
  elicitationId: 'order-7',
};

let isHanging = false;

function makeServer() {
  const server = new Server(
    { name: 'trial', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        ...(fault === 'library' ? { resources: {}, prompts: {} } : {}),
      },
    },
  );
  if (fault === 'library') library(server);
  server.setRequestHandler('tools/list', async () => ({
    tools: /** @type {any} */ ([
      ...[...tools, ...(fault === 'hostile' ? hostile : [])].filter(({ name }) => !removed.has(name)),
      ...grown,
    ]),
    ...(fault === 'endless' ? { nextCursor: 'more' } : {}),
  }));
  server.setRequestHandler(
    'tools/call',
    /** @returns {Promise<any>} */ async ({ params }, { mcpReq: { signal, inputResponses, notify } }) => {
      const args = params.arguments ?? {};
      switch (params.name) {
        case 'echo':
          return text(String(args.text));
        case 'add':
          return text(String(Number(args.a) + Number(args.b)));
        case 'env':
          return text(process.env[String(args.name)] ?? '(not set)');
        case 'fail':
          return text('The disk is on fire.', { isError: true });
        case 'regex':
        case 'names':
        case 'url':
        case 'itself':
          return text('Taken.');
        case 'crash':
          console.error('It was too much.');
          return process.exit(3);
        case 'slow':
          writeFileSync(`${args.marker}.started`, '');
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
          writeFileSync(String(args.marker), 'told to stop');
          return text('Too late.');
        case 'hang':
          isHanging = true;
          if (args.marker !== undefined) writeFileSync(`${args.marker}.started`, '');
          // From here on the server answers nothing, without notice.
          for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
        case 'huge':
          return text(
            'a line of text\n'.repeat(Math.ceil(Number(args.length) / 15)).slice(0, Number(args.length)),
          );
        case 'picture':
          return {
            content: [
              { type: 'text', text: 'One pixel:' },
              { type: 'image', data: PIXEL, mimeType: 'image/png' },
            ],
          };
        case 'data':
          return { content: [], structuredContent: { answer: 42 } };
        case 'ask': {
          if (args.times === undefined)
            return inputResponses === undefined
              ? inputRequired({ inputRequests: { it: inputRequired.elicit(ORDER) } })
              : text(JSON.stringify(inputResponses.it));
          const asked = Array.from({ length: Number(args.times) }, (_, at) => [
            `q${at}`,
            inputRequired.elicit(ORDER),
          ]);
          return inputResponses === undefined
            ? inputRequired({ inputRequests: Object.fromEntries(asked) })
            : text(JSON.stringify(Object.values(inputResponses)));
        }
        case 'ask_page':
          return inputResponses === undefined
            ? inputRequired({ inputRequests: { it: inputRequired.elicitUrl(PAGE) } })
            : text(JSON.stringify(inputResponses.it));
        case 'page_first': {
          const marker = String(args.marker);
          if (existsSync(marker)) return text('Signed in, and done.');
          const elicitationId = randomUUID();
          const url = `https://accounts.example.com/connect?state=${elicitationId}`;
          if (args.tells === true) {
            const timer = setInterval(() => {
              if (!existsSync(marker)) return;
              clearInterval(timer);
              void server.notification({
                method: 'notifications/elicitation/complete',
                params: { elicitationId },
              });
            }, 20);
          }
          throw new UrlElicitationRequiredError(
            /** @type {any} */ (args.pages) ?? [
              { mode: 'url', message: 'Connect your account.', url, elicitationId },
            ],
          );
        }
        case 'steps': {
          const progressToken = params._meta?.progressToken ?? '';
          const step = (/** @type {number} */ progress) =>
            notify({
              method: 'notifications/progress',
              params: { progressToken, progress, total: 2, message: `Step ${progress}` },
            });
          await step(1);
          // Until the test has seen it.
          while (!existsSync(String(args.marker)) && !signal.aborted)
            await new Promise((resolve) => setTimeout(resolve, 20));
          await step(2);
          return text('Both steps are done.');
        }
        case 'grow':
          grown.push({ name: String(args.name), description: 'New.', inputSchema: object({}) });
          await server.sendToolListChanged();
          return text('Grown.');
        case 'shrink':
          removed.add(String(args.name));
          await server.sendToolListChanged();
          return text('Shrunk.');
        case 'change': {
          const changed = tools.find(({ name }) => name === args.name);
          if (changed !== undefined)
            Object.assign(changed, {
              description: 'Changed.',
              inputSchema: object({ [String(args.argument)]: string }),
            });
          await server.sendToolListChanged();
          return text('Changed.');
        }
        case 'child': {
          spawn('/bin/sh', ['-c', `trap '' TERM HUP; sleep ${args.seconds} & wait; sleep ${args.seconds}`], {
            stdio: 'ignore',
          });
          return text('Started.');
        }
        default:
          return text(`${params.name} was called.`);
      }
    },
  );
  return server;
}

/** Two books on two list pages, one URI template, and a prompt. */
function library(/** @type {Server} */ server) {
  const books = [
    { uri: 'book://one', name: 'One', description: 'The first book.', mimeType: 'text/plain' },
    { uri: 'book://two', name: 'Two' },
  ];
  server.setRequestHandler('resources/list', async ({ params }) =>
    params?.cursor === undefined
      ? { resources: books.slice(0, 1), nextCursor: 'next' }
      : { resources: books.slice(1) },
  );
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: [{ uriTemplate: 'book://{title}', name: 'By title' }],
  }));
  server.setRequestHandler('resources/read', async ({ params }) => {
    if (params.uri === 'book://two')
      return { contents: [{ uri: params.uri, mimeType: 'image/png', blob: PIXEL }] };
    if (params.uri !== 'book://one') throw new Error(`There is no ${params.uri}.`);
    return { contents: [{ uri: params.uri, text: 'Once upon a time.' }] };
  });
  server.setRequestHandler('prompts/list', async () => ({
    prompts: [
      {
        name: 'review',
        description: 'Reviews a book.',
        arguments: [{ name: 'title', description: 'Of the book', required: true }],
      },
    ],
  }));
  server.setRequestHandler('prompts/get', async ({ params }) => {
    if (params.arguments?.title === undefined) throw new Error('Which book?');
    return {
      messages: [
        { role: 'user', content: { type: 'text', text: `Review ${params.arguments.title}.` } },
        { role: 'assistant', content: { type: 'text', text: 'In how many words?' } },
        { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
      ],
    };
  });
}

if (fault === 'dies') {
  console.error('starting with TRIAL_TOKEN', process.env.TRIAL_TOKEN ?? '(not set)');
  console.error('cannot open the database');
  process.exit(1);
}
if (transport === 'sse') {
  /** @type {Map<string, (message: any) => void>} */
  const sessions = new Map();
  listen('/sse', async (request, response) => {
    const address = new URL(request.url ?? '/', 'http://127.0.0.1');
    const session = sessions.get(address.searchParams.get('sessionId') ?? '');
    if (request.method === 'GET') {
      const id = randomUUID();
      const events = eventTransport(response, `/messages?sessionId=${id}`);
      sessions.set(id, (message) => events.onmessage?.(message));
      await makeServer().connect(events);
    } else if (session === undefined) response.writeHead(404).end();
    else {
      session(JSON.parse(await textOf(request)));
      response.writeHead(202).end();
    }
  });
} else if (transport === 'http') {
  /** @type {Map<string, WebStandardStreamableHTTPServerTransport>} */
  const sessions = new Map();
  const handler = createMcpHandler(makeServer);
  /** @param {Request} request */
  const inSession = async (request) => {
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
    if (known !== undefined) return known.handleRequest(request);
    if (request.headers.has('mcp-session-id')) return new Response(null, { status: 404 });
    const session = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, session),
    });
    await makeServer().connect(session);
    return session.handleRequest(request);
  };
  listen('/mcp', async (request, response) => {
    if (fault === 'silent' && process.env.TRIAL_MARKER !== undefined)
      writeFileSync(`${process.env.TRIAL_MARKER}.started`, '');
    if (fault === 'silent' || isHanging) return;
    if (
      process.env.TRIAL_TOKEN !== undefined &&
      request.headers.authorization !== `Bearer ${process.env.TRIAL_TOKEN}`
    ) {
      response.writeHead(401, { 'content-type': 'text/plain' }).end('who are you');
      return;
    }
    const web = await webRequest(request, response);
    await pass(await (fault === 'old' ? inSession(web) : handler.fetch(web)), response);
  });
} else if (fault === 'silent') {
  console.error('thinking about it');
  if (process.env.TRIAL_MARKER !== undefined) writeFileSync(`${process.env.TRIAL_MARKER}.started`, '');
  process.stdin.resume();
  // It keeps running when its input ends: a server that is hard to stop.
  setInterval(() => undefined, 1_000);
} else {
  if (fault === 'junk') {
    console.log('Welcome to the trial server');
    console.log('{"almost": "json"');
  }
  const stdio = new StdioServerTransport();
  if (fault === 'odd') {
    const send = stdio.send.bind(stdio);
    // The SDK would refuse to send invalid descriptions.
    stdio.send = (/** @type {any} */ message) => {
      message.result?.tools?.push(...odd);
      return send(message);
    };
  }
  if (fault === 'old' || fault === 'abrupt') {
    await makeServer().connect(stdio);
    const { onmessage } = stdio;
    let isOpen = false;
    stdio.onmessage = (message) => {
      isOpen ||= isInitializeRequest(message);
      if (fault === 'abrupt' && !isOpen) process.exit(5);
      onmessage?.(message);
    };
  } else serveStdio(makeServer, { transport: stdio });
}

/**
 * @param {string} path
 * @param {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => Promise<void>} answer
 */
function listen(path, answer) {
  const http = createServer((request, response) => void answer(request, response));
  http.listen(0, '127.0.0.1', () => {
    const address = http.address();
    console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}${path}`);
  });
}

/** The older transport: messages to the client are events, and those from it are posted to an address.
 * @param {import('node:http').ServerResponse} response @param {string} address
 * @returns {import('@modelcontextprotocol/server').Transport} */
function eventTransport(response, address) {
  const send = (/** @type {string} */ event, /** @type {string} */ data) =>
    void response.write(`event: ${event}\ndata: ${data}\n\n`);
  return {
    start: async () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      send('endpoint', address);
    },
    send: async (message) => send('message', JSON.stringify(message)),
    close: async () => void response.end(),
  };
}

/** @param {import('node:http').IncomingMessage} request */
async function textOf(request) {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function webRequest(request, response) {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const body = request.method === 'POST' ? { body: await textOf(request) } : {};
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  return new Request(new URL(request.url ?? '/', `http://${request.headers.host}`), {
    method: request.method ?? 'GET',
    headers: Object.fromEntries(headers),
    signal: gone.signal,
    ...body,
  });
}

/** @param {Response} web @param {import('node:http').ServerResponse} response */
async function pass(web, response) {
  response.writeHead(web.status, Object.fromEntries(web.headers));
  response.flushHeaders();
  for await (const chunk of web.body ?? []) response.write(chunk);
  response.end();
}
