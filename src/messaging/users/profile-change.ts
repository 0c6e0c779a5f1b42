import { definedOnly } from '../../platform/common/defined-only.js';
import type { UserFieldsDto } from './dto/write-user.dto.js';
import { type Profile, stringMap } from './user-rules.js';

/** The values that a body brings, in the shape and the spelling in which they are stored; what is absent is absent. */
export function profileChange(body: UserFieldsDto): Partial<Profile> {
  return definedOnly({
    username: body.username?.toLowerCase(),
    email: body.email?.toLowerCase(),
    nickname: body.nickname,
    firstName: body.first_name,
    lastName: body.last_name,
    position: body.position,
    locale: body.locale,
    timezone: body.timezone && stringMap('timezone', body.timezone),
    props: body.props && stringMap('props', body.props),
    notifyProps: body.notify_props && stringMap('notify_props', body.notify_props),
  });
}
