import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { Code } from '../../parts/code';
import { Form } from '../../parts/form';
import { curlOf, tokenIn } from './curl';

interface SignedRequestProps {
  readonly hookId: string;
  readonly deliveryId: string;
}

interface Command {
  readonly text: string;
  readonly token: string;
}

/** A delivery's call as a shell command, signed at the time of the request. */
export function SignedRequest({ hookId, deliveryId }: SignedRequestProps): ReactNode {
  const [command, setCommand] = useState<Command | null>(null);
  const make = async (): Promise<void> => {
    setCommand(null);
    const call = await answerOf(
      api.POST('/api/v4/hooks/outgoing/{hook_id}/deliveries/{delivery_id}/request', {
        params: { path: { hook_id: hookId, delivery_id: deliveryId } },
      }),
    );
    setCommand({ text: curlOf(call), token: tokenIn(call.body) });
  };
  return (
    <>
      <Form action="Create a curl command" onSubmit={make}>
        <p className="muted">Signed at that moment; receivers accept it for five minutes.</p>
      </Form>
      {command && <Code label="the curl command" text={command.text} secret={command.token} />}
    </>
  );
}
