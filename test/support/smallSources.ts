/** A few lines of each language, by a file name. */
export const smallSources: Record<string, string> = {
  'a.py': 'import os\n\n@cached\nclass Ledger:\n    def open(self):\n        return 1\n\n',
  'a.go': 'package a\n\n// Open opens.\nfunc (l *Ledger) Open() error {\n\treturn nil\n}\n\n',
  'a.rs': '/// A ledger.\nimpl Ledger {\n    fn open(&self) -> u8 { 1 }\n}\n\n',
  'a.java': 'class Ledger {\n  /** Opens. */\n  int open() {\n    return 1;\n  }\n}\n',
  'a.rb': 'class Ledger\n  def open\n    1\n  end\nend\n\n',
  'a.php': '<?php\nfunction open_ledger() {\n  return 1;\n}\n',
  'a.sh': 'open_ledger() {\n  echo "$1"\n}\n\n',
  'a.cs': 'namespace Bank\n{\n    class Ledger\n    {\n        int Open() { return 1; }\n    }\n}\n',
  'a.cpp': '#include <vector>\nnamespace bank {\nint open(int a) {\n  return a;\n}\n}\n',
  'a.ps1': 'function Open-Ledger {\n  Write-Output 1\n}\n',
  'a.ini': '[ledger]\nopen = 1\nclosed = 2\n\n',
  'a.tsx': 'export function Row(): JSX.Element {\n  return <td>1</td>;\n}\n\n',
  'a.kt':
    'package bank\n\n/** A ledger. */\nclass Ledger(val size: Int) {\n  fun open(): Int {\n    return 1\n  }\n}\n\n',
  'a.scala': 'object Bank {\n  // A ledger.\n  class Ledger(size: Int) {\n    def open(): Int = 1\n  }\n}\n\n',
  'a.yaml': 'ledger:\n  open: 1\n  rows:\n    - 1\n\n',
  'a.sql': 'CREATE TABLE ledger (\n  id INTEGER\n);\n\n',
  'a.html': '<section>\n  <p>One</p>\n</section>\n',
};
