// Code that runs in the renderer: expressions, because only the app is loaded there.

/** Opens a thread from the sidebar; milliseconds until its last message is painted and the composer has the focus. */
export const openThread = (id: string, lastMessage: string) => `new Promise((resolve, reject) => {
  const row = document.querySelector('[data-thread="${id}"]');
  if (!row) return reject(new Error('no row of ${id}'));
  const from = performance.now();
  const late = setTimeout(() => reject(new Error('${id} did not open')), 20000);
  row.click();
  const look = () => {
    const title = document.querySelector('h1')?.textContent ?? '';
    const shown = title.includes(row.title.split('\\n')[0]) && document.querySelector('[data-row="${lastMessage}"]');
    if (!shown) return requestAnimationFrame(look);
    document.querySelector('textarea').focus();
    requestAnimationFrame(() => setTimeout(() => {
      clearTimeout(late);
      resolve(performance.now() - from);
    }));
  };
  requestAnimationFrame(look);
})`;

/** Times between frames for this many milliseconds. */
export const frames = (milliseconds: number) => `new Promise((resolve) => {
  const times = [];
  let last;
  const until = performance.now() + ${milliseconds};
  const step = (now) => {
    if (last !== undefined) times.push(now - last);
    last = now;
    if (now < until) requestAnimationFrame(step);
    else resolve(times);
  };
  requestAnimationFrame(step);
})`;

/** Records how long each key takes from its press until a frame shows its character in the field. */
export const watchKeys = `(() => {
  window.keyTimes = [];
  let pressed;
  window.addEventListener('keydown', (event) => { pressed = event.timeStamp; }, true);
  window.addEventListener('input', () => {
    const from = pressed;
    queueMicrotask(() => setTimeout(() => window.keyTimes.push(performance.now() - from)));
  });
})()`;

/** A page with nothing but a field: the minimum time that typing can take. */
export const bareField = `(() => {
  const area = document.createElement('textarea');
  area.id = 'bare';
  area.style.position = 'fixed';
  area.style.inset = '0 auto auto 0';
  area.style.zIndex = '1000';
  document.body.append(area);
  area.focus();
})()`;
export const noBareField = `document.querySelector('#bare').remove()`;

/** Scrolls by this many pixels per frame for some milliseconds; times between frames. */
export const scrollFrames = (by: number, milliseconds: number) => `new Promise((resolve) => {
  const log = document.querySelector('[role="log"]');
  const times = [];
  let last;
  const until = performance.now() + ${milliseconds};
  log.dispatchEvent(new WheelEvent('wheel', { deltaY: ${by} }));
  const step = (now) => {
    if (last !== undefined) times.push(now - last);
    last = now;
    log.scrollTop += ${by};
    if (now < until) requestAnimationFrame(step);
    else resolve(times);
  };
  requestAnimationFrame(step);
})`;

/** Resolves when the agent's text streams in. */
export const whenStreaming = `new Promise((resolve, reject) => {
  const late = setTimeout(() => reject(new Error('nothing streams: ' + document.querySelector('[role="log"]')?.innerText.slice(-300))), 20000);
  const look = () => {
    if (!document.querySelector('[aria-busy="true"]')) return requestAnimationFrame(look);
    clearTimeout(late);
    resolve(true);
  };
  look();
})`;
export const whenIdle = `new Promise((resolve) => {
  const look = () => document.querySelector('[aria-busy="true"]') ? setTimeout(look, 100) : resolve(true);
  look();
})`;

/** Resolves when pending changes are drawn. */
export const drawn = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))`;

/** Records when each Enter was pressed: milliseconds since 1970, with fractions. */
export const watchEnter = `(() => {
  window.enterTimes = [];
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') window.enterTimes.push(performance.timeOrigin + event.timeStamp);
  }, true);
})()`;

/** Resolves when the shown thread is idle: there is no Stop button. */
export const whenAtRest = `new Promise((resolve) => {
  const look = () => [...document.querySelectorAll('[data-conversation] button')].some((one) => one.textContent === 'Stop')
    ? setTimeout(look, 20)
    : resolve(true);
  look();
})`;
