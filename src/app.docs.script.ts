import { DOCS_IDS } from './app.docs.ids.js';
import { DOCS_PLUGINS } from './app.docs.plugins.js';

/**
 * The script of the page at /api/docs. It draws Swagger UI and signs in from the page: the token stays in its memory, and
 * the examples get the ids of what the account has, again after each call that changes something.
 */
export const DOCS_SCRIPT = `
localStorage.removeItem('authorized'); // left by the page of an earlier version
const root = location.origin + location.pathname.replace(/\\/api\\/docs.*$/i, '');
const form = document.querySelector('#sign-in');
const output = form.querySelector('output');
const hint = output.textContent;
const darkness = matchMedia('(prefers-color-scheme: dark)');
let description, ui, token;

async function api(path, options) {
  const answer = await fetch(root + '/api/v4' + path, { credentials: 'omit', ...options });
  if (!answer.ok) throw new Error((await answer.json()).message);
  return answer;
}
${DOCS_IDS}${DOCS_PLUGINS}
async function fillIn() {
  const ids = await findIds(token);
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
  output.textContent = await (token ? signOut() : signIn()).catch((error) => error.message);
  form.querySelector('button').textContent = token ? 'Sign out' : 'Sign in';
  for (const field of form.querySelectorAll('input')) {
    field.parentElement.hidden = Boolean(token);
    field.disabled = Boolean(token);
  }
});

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
      return request;
    },
    responseInterceptor: (response) => {
      if (token && response.ok && method !== 'GET') void fillIn().catch(() => undefined);
      return response;
    },
    validatorUrl: null,
  });
  // Unless ?wait=true asks for JSON.
  ui.oas3Actions.setResponseContentType({ value: 'text/plain', path: '/hooks/{id}', method: 'post' });
}
void draw();
`;
