/**
 * `npm run bench -- --scenario=console`: how long the console takes to show something in Chromium, beside a bare page of the
 * same server; and its list of deliveries with a million of them, beside one with thousands.
 */
import { chromium } from 'playwright-core';
import { findProgram } from '../../test/clients/support/machine-clients.mjs';
import { password } from '../places.mjs';
import { median, ms, table } from '../table.mjs';
import { grow, run } from './growth.mjs';

const rounds = 11;
const flags = ['--no-sandbox', '--disable-gpu', '--no-first-run'];
const aimOfFirstView = 3;
const aimOfList = 1.5;

/** @returns rows of figures, and whether each is within its aim */
export async function measureConsole(database) {
  const few = await grow(database, 'small');
  const many = await grow(database, 'deliveries').catch(async (error) => {
    await few.place.remove();
    throw error;
  });
  const browser = await chromium.launch({ executablePath: findProgram('chromium'), args: flags });
  try {
    await Promise.all([run(few), run(many)]);
    const rows = [await compareFirstViews(browser, few), await compareLists(browser, few, many)];
    const named = rows.map((row) => ({ database: few.place.database, scenario: 'console', ...row }));
    print(named);
    return named;
  } finally {
    await browser.close();
    for (const { server, place } of [few, many]) {
      if (server && !server.hasEnded) await server.stop();
      await place.remove();
    }
  }
}

/** The page that a browser gets at the address of a webhook is text and nothing else. Each view has an empty cache. */
async function compareFirstViews(browser, { api, landmarks }) {
  const pages = { bare: `${api.url}/hooks/${landmarks.incoming.id}`, ours: `${api.url}/` };
  const times = { bare: [], ours: [] };
  const shifts = [];
  for (let round = 0; round < rounds; round++) {
    for (const [name, url] of Object.entries(pages)) {
      const view = await firstView(browser, url);
      times[name].push(view.paintedMs);
      if (name === 'ours') shifts.push(view.shift);
    }
  }
  const [ours, bare] = [median(times.ours), median(times.bare)];
  const shift = Math.max(...shifts);
  return {
    ...{ what: 'first view, cold', ms: ours, of: bare, ratio: ours / bare, aim: aimOfFirstView, shift },
    isMet: ours / bare <= aimOfFirstView && shift === 0,
  };
}

async function firstView(browser, url) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    globalThis.shift = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) globalThis.shift += value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(url);
  await page.getByRole('heading').first().waitFor();
  await page.waitForLoadState('networkidle');
  const view = await page.evaluate(() => ({
    paintedMs: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    shift: globalThis.shift,
  }));
  await context.close();
  return view;
}

/** From the address to the first delivery on the page, signed in and with what the browser keeps. */
async function compareLists(browser, few, many) {
  const visits = [];
  for (const grown of [few, many]) {
    const context = await browser.newContext();
    await signIn(context, grown.api.url);
    visits.push({ context, url: `${grown.api.url}/#/deliveries`, times: [] });
  }
  for (let round = 0; round <= rounds; round++) {
    for (const { context, url, times } of visits) {
      const page = await context.newPage();
      const startedAt = performance.now();
      await page.goto(url);
      await page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem').first().waitFor();
      if (round > 0) times.push(performance.now() - startedAt); // the first one fills the caches
      await page.close();
    }
  }
  const [of, ours] = visits.map(({ times }) => median(times));
  return {
    ...{ what: `list of ${many.size.settled} deliveries`, ms: ours, of, ratio: ours / of, aim: aimOfList },
    isMet: ours / of <= aimOfList,
  };
}

async function signIn(context, url) {
  const page = await context.newPage();
  await page.goto(url);
  await page.getByLabel('Username or email').fill('admin');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await page.close();
}

function print(rows) {
  console.log(`### The console on ${rows[0].database}\n`);
  table(
    ['what', 'ms', 'beside', 'ratio', 'aim', 'layout shift', ''],
    rows.map(({ what, ms: ours, of, ratio, aim, shift = '', isMet }) => [
      ...[what, ms(ours), ms(of), ms(ratio), aim, shift],
      isMet ? '' : 'beyond its aim',
    ]),
  );
}
