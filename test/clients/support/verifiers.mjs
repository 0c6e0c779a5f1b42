/** Runs the signature checks that the console offers to receivers with the interpreters of this machine. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from './machine-clients.mjs';

const execute = promisify(execFile);

const NODE = `
import { readFileSync } from 'node:fs';
const calls = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const kinds = (headers) => [headers, ...(/^[ -~]*$/.test(Object.values(headers).join('')) ? [new Headers(headers)] : [])];
const verdictOf = ({ body, headers, secret }) => {
  const verdicts = kinds(headers).map((kind) => isFromHookline(Buffer.from(body), kind, secret));
  if (new Set(verdicts).size > 1) throw new Error('It depends on the kind of headers.');
  return verdicts[0];
};
console.log(JSON.stringify(calls.map(verdictOf)));
`;

const PYTHON = `
import json, sys

with open(sys.argv[1], encoding="utf-8") as file:
    calls = json.load(file)
print(json.dumps([is_from_hookline(one["body"].encode(), one["headers"], one["secret"]) for one in calls]))
`;

const PHP = `
$verdicts = [];
foreach (json_decode(file_get_contents($argv[1]), true) as $call) {
    $_SERVER = [];
    foreach ($call['headers'] as $name => $value) {
        $_SERVER['HTTP_' . strtoupper(str_replace('-', '_', $name))] = $value;
    }
    $verdicts[] = isFromHookline($call['body'], $call['secret']);
}
echo json_encode($verdicts);
`;

const GO = `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

func main() {
	var calls []struct {
		Body, Secret string
		Headers      map[string]string
	}
	text, _ := os.ReadFile(os.Args[1])
	if err := json.Unmarshal(text, &calls); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, call := range calls {
		header := http.Header{}
		for name, value := range call.Headers {
			header.Set(name, value)
		}
		verdicts = append(verdicts, IsFromHookline([]byte(call.Body), header, call.Secret))
	}
	answer, _ := json.Marshal(verdicts)
	fmt.Println(string(answer))
}
`;

/** By language: the program, its arguments, and its files, made from the console's code. */
const LANGUAGES = {
  'Node.js': { program: 'node', args: ['check.mjs'], files: (check) => ({ 'check.mjs': check + NODE }) },
  Python: { program: 'python3', args: ['check.py'], files: (check) => ({ 'check.py': check + PYTHON }) },
  PHP: { program: 'php', args: ['check.php'], files: (check) => ({ 'check.php': check + PHP }) },
  Go: {
    program: 'go',
    args: ['run', '.'],
    files: (check) => ({
      'go.mod': 'module check\n\ngo 1.19\n',
      'check.go': check.replace('package hooks', 'package main'),
      'main.go': GO,
    }),
  },
};

/** The languages that this machine can run. */
export const runnable = () =>
  Object.keys(LANGUAGES).filter((language) => findProgram(LANGUAGES[language].program));

/** The result of a check for each call, `{ body, headers, secret }`. */
export async function verdictsOf(language, check, calls) {
  const { program, args, files } = LANGUAGES[language];
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-verifier-'));
  try {
    for (const [name, text] of Object.entries({ ...files(check), 'calls.json': JSON.stringify(calls) }))
      writeFileSync(path.join(folder, name), text);
    const { stdout } = await execute(findProgram(program), [...args, 'calls.json'], {
      cwd: folder,
      env: { ...process.env, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' },
    });
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
