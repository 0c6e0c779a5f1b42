/**
 * The part of the /api/docs script that replaces sample ids with real ones, so that the examples work without
 * changes: the newest of each kind visible to the account.
 */
export const DOCS_IDS = `
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
`;
