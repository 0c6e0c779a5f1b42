import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconHash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DataTable } from '../../parts/data-table';
import { Empty } from '../../parts/empty';
import { Loaded } from '../../parts/loaded';
import { myChannels } from '../../parts/team-picker';
import { Time } from '../../parts/time';

const SHOWN = 10;

/** For users who cannot manage webhooks: their channels, those with new messages first. */
export function MemberOverview({ teamId }: { readonly teamId: string }): ReactNode {
  return (
    <section aria-label="Your channels">
      <Group justify="space-between" mb="xs">
        <Title order={2} m={0}>
          Your channels
        </Title>
        <Button
          variant="default"
          size="compact-sm"
          renderRoot={(props) => <Link to="/channels" {...props} />}
        >
          All channels
        </Button>
      </Group>
      <Loaded query={useQuery(myChannels(teamId))}>
        {(channels) => (
          <Paper withBorder px="xs">
            <DataTable
              label="Your channels"
              keyOf={({ id }) => id}
              rows={channels
                .filter(({ type }) => type === 'O' || type === 'P')
                .sort((one, other) => other.last_post_at - one.last_post_at)
                .slice(0, SHOWN)}
              columns={[
                {
                  title: 'Channel',
                  cell: ({ id, display_name: name }) => (
                    <Link to="/channels" search={{ team: teamId, channel: id }}>
                      {name}
                    </Link>
                  ),
                },
                {
                  title: 'Purpose',
                  onPhone: 'hidden',
                  cell: ({ purpose }) => (
                    <Text size="sm" c="dimmed" lineClamp={1}>
                      {purpose}
                    </Text>
                  ),
                },
                { title: 'Messages', isNumber: true, cell: ({ total_msg_count: count }) => count },
                {
                  title: 'Last message',
                  isNumber: true,
                  onPhone: 'corner',
                  cell: ({ last_post_at: at }) => <Time at={at} />,
                },
              ]}
              empty={<Empty icon={IconHash} text="You are not in a channel of this team yet." />}
            />
          </Paper>
        )}
      </Loaded>
      <Text size="sm" c="dimmed" mt="md">
        Only administrators can manage the webhooks of a team. Ask one of them to add you or the webhook.
      </Text>
    </section>
  );
}
