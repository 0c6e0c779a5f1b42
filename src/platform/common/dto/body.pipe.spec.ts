import type { Type } from '@nestjs/common';
import { validateSync } from 'class-validator';
import { InvalidBodyParam } from '../errors/common-errors.js';
import { BodyPipe, LenientBody, OptionalBody, toRequests } from './body.pipe.js';
import {
  BodyName,
  BooleanField,
  fieldsOf,
  IdField,
  IntegerField,
  ObjectField,
  StringField,
  StringListField,
} from './fields.js';

@BodyName('note')
class NoteDto {
  @StringField({ required: true, description: '' }) title: string;
  @StringListField({ required: true, description: '' }) words: string[];
  @StringField({ description: '' }) text = 'none';
  @BooleanField({ description: '' }) locked = false;
  @IntegerField({ description: '' }) size?: number;
  @StringField({ description: '', nullIsEmpty: true }) mode?: string;
  @ObjectField({ description: '' }) props?: Record<string, unknown>;
}

const read = (body: unknown): NoteDto =>
  new BodyPipe().transform(Buffer.from(JSON.stringify(body)), {
    type: 'body',
    metatype: NoteDto,
  }) as NoteDto;

/** The field named in the rejection of a body. */
function refused(body: unknown): string {
  try {
    read(body);
  } catch (error) {
    if (error instanceof InvalidBodyParam) return error.message;
    throw error;
  }
  throw new Error('The body was accepted.');
}

describe('a request class', () => {
  const required = { title: 'a', words: ['b'] };

  it('uses initial values for missing fields, and undefined without one', () => {
    const note = read(required);
    expect(note).toBeInstanceOf(NoteDto);
    expect({ ...note }).toEqual({ ...required, text: 'none', locked: false });
    expect(note.size).toBeUndefined();
  });

  it('treats null as the empty value of a required field, and as the initial value of another', () => {
    const note = read({ title: null, words: null, text: null, locked: null, size: null, mode: null });
    expect({ ...note }).toEqual({ title: '', words: [], text: 'none', locked: false, mode: '' });
  });

  it('matches fields in any case, and drops unknown ones', () => {
    expect({ ...read({ TITLE: 'a', Words: [], other: 1 }) }).toMatchObject({ title: 'a', words: [] });
    expect(read({ ...required, other: 1 })).not.toHaveProperty('other');
  });

  it('checks required keys before types', () => {
    expect(refused({ words: [], text: 1 })).toContain('title');
    expect(refused({ ...required, text: 1 })).toContain('text');
  });

  it('keeps a free-form object unchanged', () => {
    const props = { a: { constructor: 'x', b: [{ c: null }] } };
    expect(read({ ...required, props }).props).toEqual(props);
  });

  it.each<{ value: unknown }>([
    { value: { constructor: 'x' } },
    { value: { then: 1 } },
    { value: [{ constructor: {} }] },
    { value: [1] },
  ])('refuses $value instead of a text', ({ value }) => {
    expect(refused({ ...required, text: value })).toContain('text');
    expect(refused({ ...required, words: [value] })).toContain('words');
  });
});

class FieldsDto {
  @StringField({ description: '' }) text?: unknown;
  @StringField({ description: '', atMost: 3 }) short?: unknown;
  @IdField({ description: '' }) id?: unknown;
  @BooleanField({ description: '' }) flag?: unknown;
  @IntegerField({ description: '' }) size?: unknown;
  @StringListField({ description: '' }) words?: unknown;
  @ObjectField({ description: '' }) props?: unknown;
}

class StricterDto extends FieldsDto {
  @StringField({ description: '', atMost: 2 }) override text: unknown = '';
}

describe('a value that passes the fast check', () => {
  const values = [
    ...['', 'abc', 'abcd', 'a'.repeat(64), 'a'.repeat(65), '😀😀😀', 'true', '1'],
    ...[true, false, 0, 1, -1, 1.5, 1e300, [], [''], ['a', 'b'], ['a', 1], [null], [['a']]],
    ...[{}, { a: 1 }, { length: 1 }],
  ];

  it.each([FieldsDto, StricterDto])('also passes the validators of %p', (type) => {
    const fields = [...(fieldsOf(type)?.values() ?? [])];
    expect(fields).toHaveLength(7);
    for (const { name, isRight } of fields)
      for (const value of values) {
        const failures = validateSync(Object.assign(new type(), { [name]: value }));
        const isLongBySurrogates = value === '😀😀😀' && failures.length === 0;
        if (!isLongBySurrogates)
          expect([name, value, isRight(value)]).toEqual([name, value, failures.length === 0]);
      }
  });
});

describe('a body', () => {
  class ChangeDto {
    @StringField({ description: '' }) title?: string;
  }
  @OptionalBody()
  class OptionsDto extends ChangeDto {}
  const body = (text: string, metatype: Type<unknown>): unknown =>
    new BodyPipe().transform(Buffer.from(text), { type: 'body', metatype });

  it.each(['null', '[]', '"text"', '1', ''])('must be an object, not %j', (text) => {
    expect(() => body(text, ChangeDto)).toThrow(InvalidBodyParam);
  });

  it.each(['null', '{}', ''])('can be %j if it is optional', (text) => {
    expect({ ...(body(text, OptionsDto) as OptionsDto) }).toEqual({});
  });
});

@LenientBody('password')
class SignInDto {
  @StringField({ description: '' }) name = '';
  @StringField({ description: '' }) password = '';
}

describe('a lenient request class', () => {
  const signIn = (text: string): unknown => ({
    ...(new BodyPipe().transform(Buffer.from(text), { type: 'body', metatype: SignInDto }) as SignInDto),
  });

  it.each(['', 'no JSON', 'null', '[]', '"text"', '{"name":"\\u0000"}'])(
    'treats %j as an empty body',
    (text) => {
      expect(signIn(text)).toEqual({ name: '', password: '' });
    },
  );

  it.each([
    '{"name":"a","PASSWORD":["b"]}',
    '{"name":1}',
    '{"name":1,"password":""}',
    '{"name":1,"password":null}',
  ])('treats %s as an empty body', (text) => {
    expect(signIn(text)).toEqual({ name: '', password: '' });
  });

  it('refuses a field of another type next to the effective one', () => {
    expect(signIn('{"NAME":"a","Password":"b"}')).toEqual({ name: 'a', password: 'b' });
    for (const name of ['1', '["a"]', '{"a":"b"}'])
      expect(() => signIn(`{"name":${name},"Password":"b"}`)).toThrow('Invalid name in request body');
  });
});

describe('a list of requests', () => {
  it('validates each item by its request class', () => {
    const [note] = toRequests([{ TITLE: 'a', words: [] }], NoteDto, 'notes');
    expect(note).toBeInstanceOf(NoteDto);
    expect({ ...note }).toEqual({ title: 'a', words: [], text: 'none', locked: false });
  });

  it.each([[[null]], [[[]]], [['text']], [[{ title: 'a' }]], [[{ title: 1, words: [] }]]])(
    'refuses %j',
    (items) => {
      expect(() => toRequests(items, NoteDto, 'notes')).toThrow(InvalidBodyParam);
    },
  );
});
