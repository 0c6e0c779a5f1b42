import { DOCS_IDS } from './app.docs.ids.js';
import { DOCS_PLUGINS } from './app.docs.plugins.js';

/**
 * The script of /api/docs. It renders Swagger UI and uses the session of the console, or signs in from the
 * page and keeps the token in memory. It fills the examples with ids of the account, and again after each
 * call that changes something.
 */
export const DOCS_SCRIPT = `
const root = location.origin + location.pathname.replace(/\\/api\\/docs.*$/i, '');
const form = document.querySelector('#sign-in');
const output = form.querySelector('output');
const hint = output.textContent;
const darkness = matchMedia('(prefers-color-scheme: dark)');
let description, ui, token;
// Whether calls carry the cookies of the session that the console has, which would win over a token.
let usesSession = false;

// Of the session of the console only what a token does not stand for.
function withCredentials(request) {
  const { Authorization: authorization } = request.headers || {};
  if (!usesSession || authorization) return Object.assign(request, { credentials: 'omit' });
  const [, proof = ''] = /(?:^|; )MMCSRF=([^;]+)/.exec(document.cookie) || [];
  const headers = { ...request.headers, 'X-CSRF-Token': proof };
  return Object.assign(request, { credentials: 'same-origin', headers });
}

async function api(path, options) {
  const answer = await fetch(root + '/api/v4' + path, withCredentials({ ...options }));
  if (!answer.ok) throw new Error((await answer.json()).message);
  return answer;
}
${DOCS_IDS}${DOCS_PLUGINS}
async function fillIn() {
  const ids = await findIds(token ? { Authorization: 'Bearer ' + token } : {});
  ui.specActions.updateSpec(JSON.stringify(withIds(description, ids)));
  return ids.user.username;
}

async function signIn() {
  const answer = await api('/users/login', {
    method: 'POST',
    body: JSON.stringify({ login_id: form.login_id.value, password: form.password.value }),
  });
  token = answer.headers.get('Token');
  ui.preauthorizeApiKey('bearer', token);
  const username = await fillIn();
  form.password.value = '';
  return 'Signed in as ' + username + '. The examples name what is yours, and what you made last.';
}

// Who is signed in to the console need not do so again.
async function takeSession() {
  usesSession = true;
  try {
    const username = await fillIn();
    output.textContent = 'Signed in as ' + username + ', as in the console. The examples name what is yours.';
    showSignedIn('Sign in as somebody else');
  } catch {
    usesSession = false;
  }
}

// The session goes on in the console.
function leaveSession() {
  usesSession = false;
  ui.specActions.updateSpec(JSON.stringify(description));
  return hint;
}

async function signOut() {
  await api('/users/logout', { method: 'POST', headers: { Authorization: 'Bearer ' + token } }).catch(() => undefined);
  token = undefined;
  ui.authActions.logout(['bearer']);
  ui.specActions.updateSpec(JSON.stringify(description));
  return hint;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  output.textContent = '…';
  const act = usesSession ? leaveSession : token ? signOut : signIn;
  output.textContent = await Promise.resolve().then(act).catch((error) => error.message);
  showSignedIn(token ? 'Sign out' : undefined);
});

function showSignedIn(action) {
  form.querySelector('button').textContent = action || 'Sign in';
  for (const field of form.querySelectorAll('input')) {
    field.parentElement.hidden = Boolean(action);
    field.disabled = Boolean(action);
  }
}

function followDarkness() {
  document.documentElement.classList.toggle('dark-mode', darkness.matches);
}
darkness.addEventListener('change', followDarkness);
followDarkness();

async function draw() {
  description = await (await api('/openapi.json')).json();
  description.servers = [{ url: root }]; // the address in the browser; another one might not be reached from here
  let method;
  ui = SwaggerUIBundle({
    spec: description,
    dom_id: '#swagger-ui',
    layout: 'BaseLayout',
    deepLinking: true,
    displayRequestDuration: true,
    docExpansion: 'none',
    filter: true,
    operationsSorter: (a, b) => rank(a) - rank(b),
    persistAuthorization: false,
    plugins: [foldedErrors, findCalls],
    requestInterceptor: (request) => {
      method = request.method;
      return withCredentials(request);
    },
    responseInterceptor: (response) => {
      if ((token || usesSession) && response.ok && method !== 'GET') void fillIn().catch(() => undefined);
      return response;
    },
    validatorUrl: null,
  });
  // Unless ?wait=true asks for JSON.
  ui.oas3Actions.setResponseContentType({ value: 'text/plain', path: '/hooks/{id}', method: 'post' });
  // Another page may have signed out meanwhile: the answer tells.
  if (/(?:^|; )MMCSRF=/.test(document.cookie)) await takeSession();
}
void draw();
`;
