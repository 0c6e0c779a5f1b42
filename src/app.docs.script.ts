/**
 * The script of the page at /api/docs. It draws Swagger UI with error answers folded to one line each, and signs in from
 * the page: the token stays in its memory, and the examples get the ids of what the account has.
 */
export const DOCS_SCRIPT = `
localStorage.removeItem('authorized'); // left by the page of an earlier version
const root = location.origin + location.pathname.replace(/\\/api\\/docs.*$/i, '');
const form = document.querySelector('#sign-in');
let description, ui;

async function api(path, options) {
  const answer = await fetch(root + '/api/v4' + path, { credentials: 'omit', ...options });
  if (!answer.ok) throw new Error((await answer.json()).message);
  return answer;
}

const folded = {
  wrapComponents: {
    response: (Original, { React }) => (props) => {
      const [isOpen, setOpen] = React.useState(false);
      if (Number(props.code) < 400 || isOpen) return React.createElement(Original, props);
      const id = props.response.getIn(['content', 'application/json', 'example', 'id']);
      const open = React.createElement('button', { onClick: () => setOpen(true) }, 'example');
      const text = [props.response.get('description'), ' ', id && React.createElement('code', { key: 'id' }, id)];
      return React.createElement(
        'tr',
        { className: 'response folded', 'data-code': props.code },
        React.createElement('td', { className: 'response-col_status' }, props.code),
        React.createElement('td', { className: 'response-col_description' }, ...text, ' ', open),
        React.createElement('td', null),
      );
    },
  },
};

// Puts real ids where the document has made-up ones: in examples, and in parameters of paths.
function withIds(value, ids, path = '') {
  if (Array.isArray(value)) return value.map((item) => withIds(item, ids, path));
  if (typeof value !== 'object' || value === null) return value;
  const known = ids.ofPath(path);
  const copy = {};
  for (const [key, item] of Object.entries(value)) {
    const id = known[key];
    if (id && typeof item === 'string' && item.length === 26) copy[key] = id;
    else if (id && item && typeof item.example === 'string') copy[key] = { ...item, example: id };
    else copy[key] = withIds(item, ids, key.startsWith('/') ? key : path);
  }
  if (copy.in === 'path' && known[copy.name] && copy.schema.example !== 'me')
    copy.schema = { ...copy.schema, example: known[copy.name] };
  return copy;
}

async function idsOf(token) {
  const get = async (path) => (await api(path, { headers: { Authorization: 'Bearer ' + token } })).json();
  const none = () => [];
  const user = await get('/users/me');
  const [team] = await get('/users/me/teams').catch(none);
  const square = team && (await get('/teams/' + team.id + '/channels/name/town-square').catch(() => undefined));
  const [hook] = team ? await get('/hooks/incoming?per_page=1&team_id=' + team.id).catch(none) : [];
  const common = { user_id: user.id, team_id: team?.id, default_team_id: team?.id, channel_id: square?.id };
  const ofHook = { ...common, id: hook?.id, hook_id: hook?.id };
  return { user, ofPath: (path) => (/\\/hooks\\/(incoming\\/)?\\{/.test(path) ? ofHook : common) };
}

async function signIn(token) {
  ui.preauthorizeApiKey('bearer', token);
  const ids = await idsOf(token);
  ui.specActions.updateSpec(JSON.stringify(withIds(description, ids)));
  return ids.user.username;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const output = form.querySelector('output');
  output.textContent = '…';
  try {
    const answer = await api('/users/login', {
      method: 'POST',
      body: JSON.stringify({ login_id: form.login_id.value, password: form.password.value }),
    });
    const username = await signIn(answer.headers.get('Token'));
    form.password.value = '';
    output.textContent = 'Signed in as ' + username + '. The examples name your own team and channels.';
  } catch (error) {
    output.textContent = error.message;
  }
});

async function draw() {
  description = await (await api('/openapi.json')).json();
  description.servers = [{ url: root }]; // the address in the browser; another one might not be reached from here
  ui = SwaggerUIBundle({
    spec: description,
    dom_id: '#swagger-ui',
    layout: 'BaseLayout',
    deepLinking: true,
    displayRequestDuration: true,
    docExpansion: 'none',
    filter: true,
    persistAuthorization: false,
    plugins: [folded],
    validatorUrl: null,
  });
}
void draw();
`;
