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
// Whether calls send the session cookies of the console, which would override a token.
let usesSession = false;

// Uses the session of the console only for requests without a token.
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

// Finds the newest record of each kind that the account sees, so that the examples work without changes.
async function findIds(headers) {
  const get = async (path) => (await api(path, { headers })).json();
  const list = async (path, pick = (rows) => rows) => {
    const rows = pick(await get(path).catch(() => [])) || [];
    return Array.isArray(rows) ? rows : Object.values(rows);
  };
  const newest = (rows) => rows.reduce((a, b) => ((b.create_at || 0) >= (a.create_at || 0) ? b : a), {});
  const user = await get('/users/me');
  const [team = {}] = (await list('/users/me/teams')).sort((a, b) => a.create_at - b.create_at);
  const ofTeam = '?per_page=200&team_id=' + team.id;
  const [[square = {}], incoming, outgoing, bot, [token_ = {}], [role = {}], remote] = await Promise.all([
    list('/teams/' + team.id + '/channels/name/town-square', (channel) => [channel]),
    list('/hooks/incoming' + ofTeam).then(newest),
    list('/hooks/outgoing' + ofTeam).then(newest),
    list('/bots?include_deleted=true').then(newest),
    list('/users/me/tokens'),
    list('/roles/name/system_user', (found) => [found]),
    list('/remotecluster').then(newest),
  ]);
  const [post, [request = {}], [delivery = {}]] = await Promise.all([
    list('/channels/' + square.id + '/posts?per_page=20', ({ posts = {} }) => posts).then((posts) =>
      newest(posts.filter(({ type }) => type === '')),
    ),
    incoming.id ? list('/hooks/incoming/' + incoming.id + '/requests', (page) => page.requests) : [],
    outgoing.id ? list('/hooks/outgoing/' + outgoing.id + '/deliveries', (page) => page.deliveries) : [],
  ]);
  const common = {
    user_id: user.id, creator_id: user.id, user_ids: [user.id],
    team_id: team.id, default_team_id: team.id, invite_id: team.invite_id, channel_id: square.id, post_id: post.id,
    bot_user_id: bot.user_id, token_id: token_.id, role_id: role.id, role_name: role.name, remote_id: remote.remote_id,
    request_id: request.id, delivery_id: delivery.id, callback_url: outgoing.callback_urls?.[0],
  };
  const places = [
    [/^\\/hooks\\/\\{|hooks\\/incoming\\/|^UpdateIncoming/, { id: incoming.id, hook_id: incoming.id }],
    [/hooks\\/outgoing\\/|^(Update|Patch)Outgoing/, { id: outgoing.id, hook_id: outgoing.id }],
    [/\\/channels\\/direct$/, { example: [user.id] }],
    [/\\/posts\\/ids$/, { example: [post.id] }],
    [/^UpdateTeam/, { id: team.id }],
    [/^UpdateChannel/, { id: square.id }],
    [/^UpdatePost/, { id: post.id }],
    [/\\/users\\/(username|email)\\//, { username: user.username, email: user.email }],
    [/^(Update|Patch)User/, { id: user.id, username: user.username, email: user.email }],
  ];
  const ofPlace = (place) => ({ ...common, ...places.find(([matches]) => matches.test(place))?.[1] });
  return { user, ofPlace };
}

// A place is a path or the name of a schema.
function withIds(value, ids, place = '') {
  if (Array.isArray(value)) return value.map((item) => withIds(item, ids, place));
  if (typeof value !== 'object' || value === null) return value;
  const known = ids.ofPlace(place);
  const copy = {};
  for (const [key, item] of Object.entries(value)) {
    const id = known[key];
    if (id && typeof item === 'string' && (item.length === 26 || key === 'callback_url')) copy[key] = id;
    else if (Array.isArray(id) && Array.isArray(item)) copy[key] = id;
    else if (id && item && item.example !== undefined && !item.in) copy[key] = { ...item, example: id };
    else copy[key] = withIds(item, ids, /^\\/|Dto$/.test(key) ? key : place);
  }
  const isNeeded = copy.in === 'path' || (copy.in === 'query' && copy.required);
  if (isNeeded && known[copy.name] && copy.schema.example !== 'me')
    copy.schema = { ...copy.schema, example: known[copy.name] };
  return copy;
}

// Swagger UI folds no errors, and its filter searches groups only, not calls.
const foldedErrors = {
  wrapComponents: {
    response: (Original, { React }) => (props) => {
      const { createElement } = React;
      const [isOpen, setOpen] = React.useState(false);
      if (Number(props.code) < 400) return createElement(Original, props);
      const example = props.response.getIn(['content', 'application/json', 'example']);
      const toggle = { type: 'button', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) };
      return createElement(
        'tr',
        { className: isOpen ? 'response error' : 'response error folded', 'data-code': props.code },
        createElement('td', { className: 'response-col_status' }, props.code),
        createElement(
          'td',
          { className: 'response-col_description' },
          props.response.get('description') + ' ',
          example && createElement('button', toggle, createElement('code', null, example.get('id'))),
          isOpen && createElement('pre', null, JSON.stringify(example, null, 2)),
        ),
      );
    },
  },
};

function matches(words, tag, operation) {
  const details = operation.get('operation');
  const text = [tag, operation.get('method'), operation.get('path'), details.get('summary'), details.get('operationId')]
    .join(' ')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

const findCalls = {
  fn: {
    opsFilter: (groups, phrase) => {
      const words = phrase.toLowerCase().split(' ').filter(Boolean);
      return groups
        .map((group, tag) =>
          group.update('operations', (operations) => operations.filter((each) => matches(words, tag, each))),
        )
        .filter((group) => group.get('operations').size > 0);
    },
  },
  components: {
    FilterContainer: ({ layoutSelectors, layoutActions, specSelectors, fn, getSystem }) => {
      const { React } = getSystem();
      const current = layoutSelectors.currentFilter();
      const find = (phrase) => {
        layoutActions.updateFilter(phrase);
        const groups = specSelectors.taggedOperations();
        const found = phrase.trim() === '' ? groups.clear() : fn.opsFilter(groups, phrase);
        for (const tag of groups.keys()) layoutActions.show(['operations-tag', tag], found.has(tag));
      };
      const input = React.createElement('input', {
        className: 'operation-filter-input',
        type: 'search',
        'aria-label': 'Find calls',
        placeholder: 'Find calls, by path or by what they do: create webhook',
        value: typeof current === 'string' ? current : '',
        onChange: (event) => find(event.target.value),
      });
      return React.createElement('div', { className: 'wrapper' }, input);
    },
  },
};

// What makes something comes first in each group, then what uses it.
function rank(operation) {
  if (operation.getIn(['operation', 'operationId']).startsWith('create')) return 0;
  return operation.get('path').startsWith('/hooks/') ? 1 : 2;
}

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
  return 'Signed in as ' + username + '. The examples contain your own ids and your newest records.';
}

// Uses an existing session of the console.
async function takeSession() {
  usesSession = true;
  try {
    const username = await fillIn();
    output.textContent = 'Signed in as ' + username + ', as in the console. The examples contain your own ids.';
    showSignedIn('Sign in as another user');
  } catch {
    usesSession = false;
  }
}

// The session continues in the console.
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
  // Another page may have signed out in the meantime; the response shows it.
  if (/(?:^|; )MMCSRF=/.test(document.cookie)) await takeSession();
}
void draw();
`;
