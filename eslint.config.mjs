import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import dataAccess from './scripts/eslint-data-access.mjs';
import importDirection from './scripts/eslint-import-direction.mjs';

const typescript = ['**/*.ts', '**/*.tsx'];
const tests = ['test/**/*.ts', '**/*.spec.ts', 'bench/**/*.ts'];

export default defineConfig(
  { ignores: ['dist/', 'dist.*/', 'data/', 'coverage/', '.cache/', 'scripts/templates/'] },
  eslint.configs.recommended,
  {
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['**/*.{mjs,cjs,js}'],
    languageOptions: { globals: globals.node },
  },
  {
    files: typescript,
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/prefer-readonly': 'error',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      // Decorator metadata needs the imported value, so an import cannot become `import type` by its uses.
      '@typescript-eslint/consistent-type-imports': 'off',
      // A function declared async answers with a rejection, never with a throw, also when it awaits nothing.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['src/**/*.ts', 'console/**/*.{ts,tsx}'],
    ignores: ['**/*.spec.ts'],
    rules: { 'max-lines': ['error', 300] },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { 'import-direction': importDirection, 'data-access': dataAccess },
    rules: {
      'import-direction/direction': 'error',
      'import-direction/own-repository': 'error',
      'data-access/typeorm': 'error',
      'data-access/own-tables': 'error',
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: '@nestjs/common', importNames: ['forwardRef'], message: 'Modules form no circles.' },
            ...['process', 'node:process'].map((name) => ({
              name,
              importNames: ['env'],
              message: 'Only src/platform/config reads the environment.',
            })),
          ],
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/platform/config/**', '**/*.spec.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only src/platform/config reads the environment.' },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/platform/database/periodic-task.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        {
          name: 'setInterval',
          message: 'Work that repeats is a PeriodicTask: one run at a time, a stop that waits.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.controller.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'IfStatement',
          message: 'A controller makes one call; decide in the service, the policy or the request class.',
        },
      ],
    },
  },
  {
    files: tests,
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Bodies of answers are untyped, and jest matchers such as expect.any() are `any` by their types.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  prettier,
);
