import {
  anyComment,
  atMargin,
  common,
  dashed,
  form,
  hashed,
  type LanguageForms,
  type LineForms,
  slashed,
} from './lineForms.ts';
import { schemas } from './lineSchemas.ts';

const values = '(?:val|var|let)\\s{1,9}{TYPED}{PATH}{NAME}{END}';
/** Values of a module, and those of a type, which have a word before them; others are local. */
const members = [atMargin(`{MODS}${values}`), form(`{ATTRS}(?!local\\b)(?:[a-z]{3,14}\\s{1,9}){1,4}${values}`)];
/** What is found between the `<script>` tags of a page. */
const scripts: LineForms = { ...slashed, forms: common, within: [/^\s{0,60}<script\b/i, /<\/script/i] };

/** Each language by the endings of its files; the last stands for all others. */
export const languages: readonly LanguageForms[] = [
  ...schemas,
  [
    'swift',
    {
      ...slashed,
      forms: [
        form('{ATTRS}{MODS}(?:class\\s{1,9})?func\\s{1,9}{NAME}'),
        form(
          '{ATTRS}{MODS}(?:class|struct|enum|protocol|actor|extension|typealias|associatedtype|macro)\\s{1,9}{PATH}{NAME}{END}',
        ),
        form('(?:indirect\\s{1,9})?case\\s{1,9}{NAME}(?=\\s{0,9}(?:$|[(=,]))'),
        // A property that is computed.
        form('{ATTRS}{MODS}var\\s{1,9}{NAME}\\s{0,9}:[^={]{1,80}\\{\\s{0,9}$'),
        ...members,
      ],
    },
  ],
  [
    'ex exs',
    {
      ...hashed,
      forms: [
        form('defimpl\\s{1,9}{PATH}{NAME}(?:,\\s{0,9}for:\\s{0,9}{PATH}{NAME})?'),
        form(
          '(?:defmodule|defprotocol|defp?|defmacrop?|defguardp?|defdelegate|defnp?)\\s{1,9}(?!unquote\\b){PATH}{NAME}[?!]?(?=\\s|[,(]|$)',
        ),
        form('@(?:type|typep|opaque|callback|macrocallback)\\s{1,9}{NAME}'),
      ],
    },
  ],
  [
    'lua luau',
    {
      ...dashed,
      forms: [
        form('(?:local\\s{1,9})?function\\s{1,9}{PATH}{NAME}'),
        form('(?:local\\s{1,9})?{PATH}{NAME}\\s{0,9}=\\s{0,9}function\\b'),
        atMargin('(?:local\\s{1,9})?{NAME}\\s{0,9}=(?!=)(?!\\s{0,9}require\\b)'),
      ],
    },
  ],
  [
    'hs lhs purs elm',
    {
      ...dashed,
      forms: [
        atMargin('(?:data|newtype|type)\\s{1,9}(?:family\\s{1,9}|instance\\s{1,9}|alias\\s{1,9})?{NAME}'),
        atMargin('class\\s{1,9}(?:[^=]{1,100}=>\\s{0,9})?{NAME}'),
        atMargin('instance\\s{1,9}(?:[^=]{1,100}=>\\s{0,9})?{PATH}{NAME}\\s{1,9}[(\\[]{0,2}{PATH}{NAME}'),
        atMargin('(?:port\\s{1,9})?module\\s{1,9}{PATH}{NAME}'),
        form("[{,]?\\s{0,9}{NAME}'{0,3}\\s{0,9}::(?!:)"),
        atMargin("(?!(?:import|infix[lr]?|deriving|where|let|in)\\b){NAME}'{0,3}(?:\\s[^=|]{0,150})?\\s=(?![=>])"),
        atMargin('(?!(?:import|exposing)\\b){NAME}\\s{0,9}:(?!:)'),
      ],
    },
  ],
  [
    'zig',
    {
      ...slashed,
      forms: [
        form(
          '(?:pub\\s{1,9})?const\\s{1,9}{NAME}[^=]{0,80}=\\s{0,9}(?:packed\\s{1,9}|extern\\s{1,9})?(?:struct|enum|union|opaque|error)\\b',
        ),
        form('(?:(?:pub|export|extern|inline|noinline|"[^"]{0,20}")\\s{1,9}){0,4}fn\\s{1,9}{NAME}'),
        atMargin(
          '(?:(?:pub|export|threadlocal)\\s{1,9}){0,2}(?:const|var)\\s{1,9}{NAME}(?![^=]{0,80}=\\s{0,9}@import)',
        ),
        form('pub\\s{1,9}(?:const|var)\\s{1,9}{NAME}'),
      ],
    },
  ],
  [
    'dart',
    {
      ...slashed,
      forms: [
        form(
          '{ATTRS}(?:(?:abstract|sealed|base|final|interface|mixin)\\s{1,9}){0,3}(?:class|enum|typedef|extension\\s{1,9}type|mixin|extension)\\s{1,9}(?!on\\b){NAME}{END}',
        ),
        form('(?:(?:static|external|[\\w<>?,.]{1,60})\\s{1,9}){0,3}(?:get|set)\\s{1,9}{NAME}'),
        form(
          '(?!(?:return|await|throw|case|yield|new|else)\\b)(?:(?:static|external|[\\w<>?,.]{1,60})\\s{1,9}){1,3}{NAME}\\s{0,9}(?:<[^>]{0,60}>)?\\([^;]{0,200}\\)\\s{0,9}(?:async\\*?\\s{0,9}|sync\\*\\s{0,9})?(?:=>|\\{)',
        ),
        ...common,
        atMargin('(?:const|final|late|var)\\s{1,9}(?:final\\s{1,9})?(?:[\\w<>?,.]{1,60}\\s{1,9})?{NAME}\\s{0,9}[=;]'),
        form('static\\s{1,9}(?:const|final)\\s{1,9}(?:[\\w<>?,.]{1,60}\\s{1,9})?{NAME}\\s{0,9}[=;]'),
      ],
    },
  ],
  [
    'pl pm t',
    {
      ...hashed,
      forms: [
        form('(?:my\\s{1,9}|our\\s{1,9})?sub\\s{1,9}{PATH}{NAME}'),
        form('(?:package|class|role)\\s{1,9}{PATH}{NAME}\\s{0,9}(?=[;{]|v?[\\d.]{1,9}|$)'),
        form('use\\s{1,9}constant\\s{1,9}{NAME}'),
        form('our\\s{1,9}[$@%](?!(?:ISA|EXPORT\\w{0,5}|VERSION|AUTOLOAD)\\b){NAME}'),
      ],
    },
  ],
  [
    'r',
    {
      ...hashed,
      forms: [
        form('([\\p{L}.][\\p{L}\\p{N}._]{0,99})\\s{0,9}(?:<-|=)\\s{0,9}(?:function\\b|\\\\\\()'),
        atMargin('([\\p{L}.][\\p{L}\\p{N}._]{0,99})\\s{0,9}<<?-'),
      ],
    },
  ],
  [
    'ml mli fs fsi fsx',
    {
      comment: /^(?:\/\/|\(\*.*\*\)\s*$)/,
      blocks: [['(*', '*)']],
      forms: [
        form(
          '(?:module|exception|external|val|method!?|class|effect)\\s{1,9}(?:(?:type|rec|private|virtual|mutable)\\s{1,9}){0,2}{PATH}{NAME}',
        ),
        form(
          "(?:type|and)\\s{1,9}(?:(?:rec|nonrec|private)\\s{1,9})?(?:\\([^)]{0,60}\\)\\s{0,9}|'\\w{1,20}\\s{1,9})?{NAME}",
        ),
        form(
          '(?:static\\s{1,9}|abstract\\s{1,9}|override\\s{1,9}|default\\s{1,9}){0,3}member\\s{1,9}(?:(?:private|inline)\\s{1,9})?(?:[\\p{L}_]{1,20}\\.)?{NAME}',
        ),
        atMargin(
          'let\\s{1,9}(?:(?:rec|inline|private|mutable)\\s{1,9}){0,3}(?!open\\b){NAME}(?!.{0,290}\\bin\\s{0,9}$)',
        ),
        form("let\\s{1,9}(?:(?:rec|inline)\\s{1,9}){0,2}{NAME}'?\\s{1,9}[^=\\s][^=]{0,150}=(?!.{0,290}\\bin\\s{0,9}$)"),
      ],
    },
  ],
  [
    'clj cljs cljc bb el lisp cl scm rkt ss fnl',
    {
      comment: /^;/,
      blocks: [['#|', '|#']],
      forms: [
        form('\\((?:ns|in-ns)\\s{1,9}(?:[\\w*+-]{1,60}\\.){0,9}{DASHED}'),
        form('\\(define(?:-[\\w-]{1,30})?\\s{1,9}\\(?{DASHED}'),
        form('\\((?:[\\w.]{1,20}/)?def[a-z*-]{0,24}\\s{1,9}(?:\\^\\S{1,40}\\s{1,9}){0,4}\\(?{DASHED}'),
      ],
    },
  ],
  [
    'jl',
    {
      ...hashed,
      forms: [
        form(
          '(?:@\\w{1,20}\\s{1,9})?(?:function|macro|(?:mutable\\s{1,9})?struct|(?:abstract|primitive)\\s{1,9}type|(?:bare)?module|const)\\s{1,9}{PATH}{NAME}',
        ),
        atMargin(
          '{PATH}{NAME}!?(?:\\{[^}]{0,60}\\})?\\([^=]{0,150}\\)(?:\\s{0,9}::\\s{0,9}\\w{1,40})?(?:\\s{0,9}where\\s[^=]{1,60})?\\s{0,9}=(?!=)',
        ),
      ],
    },
  ],
  [
    'erl hrl',
    {
      comment: /^%/,
      blocks: [],
      forms: [
        atMargin('-(?:module|record|define|type|opaque|callback)\\s{0,9}\\(?\\s{0,9}{NAME}'),
        atMargin('{NAME}\\s{0,9}\\([^%]{0,200}->'),
        atMargin('-spec\\s{1,9}{NAME}'),
      ],
    },
  ],
  [
    'sol',
    {
      ...slashed,
      forms: [
        form(
          '(?:abstract\\s{1,9})?(?:contract|library|interface|function|event|modifier|struct|enum|error|type)\\s{1,9}{NAME}{END}',
        ),
      ],
    },
  ],
  [
    'm mm',
    {
      ...slashed,
      forms: [
        form('@(?:interface|implementation|protocol)\\s{1,9}{NAME}'),
        form('[-+]\\s{0,9}\\([^)]{1,80}\\)\\s{0,9}{NAME}'),
        form('@property\\b[^;]{0,200}[\\s*]{NAME}\\s{0,9};'),
        ...common,
      ],
    },
  ],
  [
    'vb bas vbs f f90 f95 f03 f08 pas pp',
    {
      comment: /^(?:'|!|\/\/|rem\b)/i,
      blocks: [
        ['{', '}'],
        ['(*', '*)'],
      ],
      forms: [
        form(
          '(?!end\\b)(?:(?:public|private|friend|protected|shared|overrides|overridable|static|partial|pure|elemental|recursive|class)\\s{1,9}){0,4}(?:sub|function|class|module|property|structure|enum|interface|subroutine|program|procedure|unit|constructor|destructor)\\s{1,9}{PATH}{NAME}{END}',
          'i',
        ),
      ],
    },
  ],
  ['groovy gradle cr d v nim fish awk tcl gleam odin hx as wgsl glsl hlsl metal', { ...anyComment, forms: common }],
  ['vue svelte astro html htm', scripts],
  ['py pyi pyw rb rake gemspec ru sh bash bats zsh ps1 psm1 psd1', { ...hashed, forms: common }],
  ['', { ...anyComment, forms: common }],
];

/** Texts that declare nothing: prose and data. */
export const withoutNames = new Set(
  'md mdx markdown txt rst adoc org tex log json json5 jsonc jsonl ndjson yaml yml toml xml svg csv tsv lock po pot srt vtt ini cfg conf properties editorconfig desktop service css diff patch'.split(
    ' ',
  ),
);
