import { splitRoles } from './actor.js';

it('splits a list of roles at white space', () => expect(splitRoles('  a  b ')).toEqual(['a', 'b']));
