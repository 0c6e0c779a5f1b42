import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { ChannelSelect, TeamPicker, useTeam } from '../../parts/team-picker';

interface ShareChannelProps {
  readonly remoteId: string;
  readonly onShared: () => void;
}

/** Shares a channel with another server. */
export function ShareChannel({ remoteId, onShared }: ShareChannelProps): ReactNode {
  const [teamId, chooseTeam] = useTeam();
  const [channelId, setChannelId] = useState('');
  const share = async (): Promise<void> => {
    await answerOf(
      api.POST('/api/v4/remotecluster/{remote_id}/channels/{channel_id}/invite', {
        params: { path: { remote_id: remoteId, channel_id: channelId } },
      }),
    );
    await queries.invalidateQueries({ queryKey: ['connections', remoteId, 'channels'] });
    onShared();
  };
  return (
    <Form action="Share" onSubmit={share}>
      <TeamPicker
        teamId={teamId}
        onChoose={(id) => {
          chooseTeam(id);
          setChannelId(''); // it belongs to the previous team
        }}
      />
      <Field
        name="channel_id"
        label="Channel"
        hint="It appears on the other server, and messages go both ways from now on."
      >
        <ChannelSelect teamId={teamId} value={channelId} onChange={setChannelId} />
      </Field>
    </Form>
  );
}
