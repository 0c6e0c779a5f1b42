/** The rules of the repository, and all compiler diagnostics of a file, so that its types are computed once. */
import ts from 'typescript';
import rules from '../../eslint.config.mjs';

const types = {
  create: (context) => ({
    Program: (node) => {
      const { program } = context.sourceCode.parserServices;
      const file = program.getSourceFile(context.filename);
      for (const { messageText } of ts.getPreEmitDiagnostics(program, file))
        context.report({ node, message: ts.flattenDiagnosticMessageText(messageText, '\n') });
    },
  }),
};

export default [
  ...rules,
  { files: ['**/*.ts'], plugins: { compiler: { rules: { types } } }, rules: { 'compiler/types': 'error' } },
];
