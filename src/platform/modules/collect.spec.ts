import { Module, type Type } from '@nestjs/common';
import { Entity, type MigrationInterface } from 'typeorm';
import { collectDeclared, DeclarationClash } from './collect.js';
import { Declares } from './declares.js';

@Entity('apples')
class Apple {}
@Entity('pears')
class Pear {}
@Entity('apples')
class AppleAgain {}

class Migration implements MigrationInterface {
  async up(): Promise<void> {}
  async down(): Promise<void> {}
}
class Late1700000000009 extends Migration {}
class Early1700000000001 extends Migration {}
class AlsoEarly1700000000001 extends Migration {}

@Module({})
@Declares({
  entities: [Apple],
  migrations: [Late1700000000009],
  apiGroups: [{ name: 'apples', description: 'Fruit.' }],
  bodyLimits: { '/api/v4/apples/photo': 5_000 },
})
class ApplesModule {}

@Module({ imports: [ApplesModule] })
@Declares({
  entities: [Pear],
  migrations: [Early1700000000001],
  apiGroups: [{ name: 'pears', position: 10, description: 'More fruit.' }],
})
class PearsModule {}

@Module({})
class DynamicPearsModule {}

function rootOf(...imports: unknown[]): Type {
  @Module({ imports: imports as Type[] })
  class RootModule {}
  return RootModule;
}

function otherWith(declaration: Parameters<typeof Declares>[0]): Type {
  @Module({})
  @Declares(declaration)
  class OtherModule {}
  return OtherModule;
}

describe('module declarations', () => {
  it('are collected from all imports, each once, migrations in order of time', () => {
    const dynamic = { module: DynamicPearsModule, imports: [PearsModule] };
    const declared = collectDeclared(rootOf(ApplesModule, dynamic));
    expect(declared.entities).toEqual([Apple, Pear]);
    expect(declared.migrations).toEqual([Early1700000000001, Late1700000000009]);
    expect(declared.apiGroups.map(({ name }) => name)).toEqual(['pears', 'apples']);
  });

  it.each([
    [
      'a table',
      { entities: [AppleAgain] },
      'The table apples is declared by ApplesModule and by OtherModule.',
    ],
    [
      'a time',
      { migrations: [AlsoEarly1700000000001] },
      'A migration with the timestamp 1700000000001 is declared by PearsModule and by OtherModule.',
    ],
  ])('are refused if two modules declare %s', (_, declaration, sentence) => {
    const collect = (): unknown => collectDeclared(rootOf(PearsModule, otherWith(declaration)));
    expect(collect).toThrow(DeclarationClash);
    expect(collect).toThrow(sentence);
  });

  it('include the larger body limits of single routes', () => {
    const declared = collectDeclared(rootOf(ApplesModule));
    const limits = ['/photo', '/photo?x=1', '/photo/8', ''].map((path) =>
      declared.bodyLimitOf(`/api/v4/apples${path}`, 100),
    );
    expect(limits).toEqual([5_000, 5_000, 100, 100]);
    expect(declared.bodyLimitOf('/api/v4/apples/photo', 9_000)).toBe(9_000);
  });
});
