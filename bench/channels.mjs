/** Creates a team with an open channel for one measurement. */
export async function makeChannel(api) {
  const name = `bench-${Date.now().toString(36)}`;
  const team = await api.call('POST', '/teams', { name, display_name: 'Bench', type: 'O' });
  return api.call('POST', '/channels', {
    team_id: team.id,
    name: `${name}-posts`,
    display_name: 'Bench posts',
    type: 'O',
  });
}

export async function messageCount(api, channelId) {
  return (await api.call('GET', `/channels/${channelId}`)).total_msg_count;
}
