import { Stack, Text } from '@mantine/core';
import { answerOf, api } from '../../api/client';
import { showDone } from '../../parts/undo';
import { type Connection, refreshConnections } from './connection-queries';

/** The button that ends a connection. An invite that was not accepted is not a connection yet. */
export const endLabelOf = ({ standing }: Connection): string =>
  standing === 'invited' ? 'Withdraw' : 'Disconnect';

/** The question before a connection ends, with the effects on both sides. */
export function endQuestion(peer: Connection, onEnded?: () => void) {
  const isInvite = peer.standing === 'invited';
  const path = { remote_id: peer.remote_id };
  return {
    title: isInvite ? 'Withdraw the invite?' : 'Disconnect the server?',
    action: endLabelOf(peer),
    isRisky: true,
    onConfirm: async () => {
      await answerOf(api.DELETE('/api/v4/remotecluster/{remote_id}', { params: { path } }));
      await refreshConnections();
      showDone(isInvite ? 'Invite withdrawn.' : `${peer.display_name} is disconnected.`);
      onEnded?.();
    },
    body: isInvite ? (
      <Text size="sm" mb="md">
        The invite for <b>{peer.display_name}</b> is withdrawn and can no longer be accepted.
      </Text>
    ) : (
      <Stack gap="xs" fz="sm" mb="md">
        <div>
          <b>{peer.display_name}</b> can no longer call this server. Messages waiting for it are cancelled,
          and channels are no longer shared with it.
        </div>
        <div>
          The other server is not notified: it shows this server as <b>offline</b> until somebody disconnects
          there too. Shared messages stay on both servers.
        </div>
      </Stack>
    ),
  };
}
