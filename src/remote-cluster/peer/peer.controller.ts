import { Body, Controller, Injectable, type PipeTransform, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../platform/common/audited.js';
import { Clock } from '../../platform/common/clock.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { FrameDto, MessageAnswerDto, PeerPingDto } from '../dto/peer.dto.js';
import { BodyLimit } from '../../platform/modules/body-limit.js';
import { ConfirmationService } from '../handshake/confirmation.service.js';
import { ReceivedMessages } from '../messages/received-messages.service.js';
import type { RemoteCluster } from '../remote-cluster.entity.js';
import { FrameRefused } from '../remote-clusters.errors.js';
import { type Frame, isObject, parseFrame } from './frame.js';
import { CurrentPeer, RemotePeer } from './remote-peer.guard.js';

const LIMIT_BYTES = 1024 * 1024;

@Injectable()
class FramePipe implements PipeTransform<Buffer, Frame> {
  transform(body: Buffer): Frame {
    return parseFrame(body);
  }
}

/** What the peer of a secure connection may call (docs/contract/secure-connections.md#peer-authentication). */
@ApiTags('between servers')
@Controller('remotecluster')
@RemotePeer()
@BodyLimit(LIMIT_BYTES)
export class PeerController {
  constructor(
    private readonly confirmation: ConfirmationService,
    private readonly messages: ReceivedMessages,
    private readonly clock: Clock,
  ) {}

  @Post('ping')
  @Operation({ summary: 'Answer a ping', body: { type: FrameDto }, ok: PeerPingDto, errors: [501] })
  ping(@CurrentPeer() peer: RemoteCluster, @Body(FramePipe) frame: Frame): PeerPingDto {
    requireOwnFrame(peer, frame);
    return { sent_at: sentAt(frame.payload), recv_at: this.clock.now() };
  }

  @Post('msg')
  @Audited('remoteClusterAcceptMessage', 'remote_id', { keep: ['msg.id', 'msg.topic'] })
  @Operation({
    summary: 'Take a message',
    description: 'An unknown topic is answered with OK, and ignored.',
    body: { type: FrameDto },
    ok: MessageAnswerDto,
    errors: [501],
  })
  message(@CurrentPeer() peer: RemoteCluster, @Body(FramePipe) frame: Frame): Promise<MessageAnswerDto> {
    requireOwnFrame(peer, frame);
    return this.messages.receive(peer, frame);
  }

  @Post('confirm_invite')
  @Audited('remoteClusterAcceptInvite', 'remote_id', { keep: ['msg.id', 'msg.topic'] })
  @Operation({
    summary: 'Confirm an invite',
    description: 'The peer that was invited tells where it is, and which token it will show from now on.',
    body: { type: FrameDto },
    ok: StatusOkDto,
    errors: [501],
  })
  async confirmInvite(
    @CurrentPeer() peer: RemoteCluster,
    @Body(FramePipe) frame: Frame,
  ): Promise<StatusOkDto> {
    requireOwnFrame(peer, frame);
    await this.confirmation.confirm(peer, frame);
    return STATUS_OK;
  }
}

/** The headers, the frame and the connection are one. */
function requireOwnFrame(peer: RemoteCluster, { remoteId }: Frame): void {
  if (remoteId !== peer.remoteId) throw FrameRefused.otherConnection('remote_id');
}

function sentAt(payload: unknown): number {
  if (payload === null) return 0;
  const sent: unknown = isObject(payload) ? (payload['sent_at'] ?? 0) : undefined;
  if (typeof sent !== 'number' || !Number.isSafeInteger(sent))
    throw new InvalidBodyParam('msg.payload', 'it must be an object with the time sent_at');
  return sent;
}
