/** Creates the records that generated requests use, as the keeper. */
export class Records {
  #accounts;
  #outside;
  #count = 0;

  constructor(accounts, outside) {
    this.#accounts = accounts;
    this.#outside = outside;
  }

  /** A new team that the members of the test have joined. */
  async team() {
    const team = await this.#call('POST', '/teams', {
      name: this.#name(),
      display_name: 'Fuzz',
      type: 'O',
      allow_open_invite: true,
    });
    for (const name of ['admin', 'member', 'victim']) await this.joinTeam(team.id, name);
    return team;
  }

  joinTeam(teamId, name) {
    const body = { team_id: teamId, user_id: this.#accounts.idOf(name) };
    return this.#call('POST', `/teams/${teamId}/members`, body);
  }

  /** A new channel with the administrator, and, if it is open, the other members of the test. */
  async channel(teamId, type = 'O') {
    const fields = { team_id: teamId, name: this.#name(), display_name: 'Fuzz', type };
    const channel = await this.#call('POST', '/channels', fields);
    for (const name of type === 'O' ? ['admin', 'member', 'victim'] : ['admin'])
      await this.joinChannel(channel.id, name);
    return channel;
  }

  joinChannel(channelId, name) {
    return this.#call('POST', `/channels/${channelId}/members`, { user_id: this.#accounts.idOf(name) });
  }

  /** A post of the administrator, as are the webhooks. */
  post(channelId, message = 'A post', rootId = '') {
    const body = { channel_id: channelId, message, root_id: rootId };
    return this.#accounts.callAs('admin', 'POST', '/posts', body);
  }

  incomingHook(channelId) {
    const body = { channel_id: channelId, display_name: 'A hook' };
    return this.#accounts.callAs('admin', 'POST', '/hooks/incoming', body);
  }

  outgoingHook(teamId, fields) {
    const body = {
      team_id: teamId,
      display_name: 'A hook',
      trigger_words: ['fuzz'],
      callback_urls: this.#outside.urls,
    };
    return this.#accounts.callAs('admin', 'POST', '/hooks/outgoing', { ...body, ...fields });
  }

  /** The ids of deliveries of the hook, newest first. */
  async deliveries(hookId) {
    const { deliveries } = await this.#call('GET', `/hooks/outgoing/${hookId}/deliveries`);
    return deliveries.map(({ id }) => id);
  }

  token() {
    return this.#call('POST', `/users/${this.#accounts.idOf('admin')}/tokens`, { description: 'fuzz' });
  }

  /** A connection that the server has accepted: the peer's own record of it. */
  async connection(teamId) {
    const { connection, ...body } = this.#outside.invite();
    await this.#call('POST', '/api/v4/remotecluster/accept_invite', {
      name: this.#name(),
      default_team_id: teamId,
      ...body,
    });
    return connection;
  }

  #call(method, path, body) {
    return this.#accounts.call(method, path, body);
  }

  #name() {
    return `fuzz-${Date.now().toString(36)}-${(this.#count += 1)}`;
  }
}
