import { atMargin, dashed, form, hashed, type LanguageForms, slashed } from './lineForms.ts';

/** Languages of schemas, queries, builds and styles, by the endings of their files. */
export const schemas: readonly LanguageForms[] = [
  [
    'sql ddl pgsql plsql mysql',
    {
      ...dashed,
      forms: [
        form(
          'create\\s{1,9}(?:(?:or\\s{1,9}(?:replace|alter)|temp|temporary|global|local|unlogged|unique|materialized|recursive|virtual|external|foreign|clustered|definer\\s{0,9}=\\s{0,9}\\S{1,60}|constraint)\\s{1,9}){0,4}' +
            '(?:table|view|function|procedure|proc|index|trigger|type|schema|sequence|domain|policy|role|database|aggregate|macro)\\s{1,9}(?:concurrently\\s{1,9})?(?:if\\s{1,9}not\\s{1,9}exists\\s{1,9})?' +
            '(?:["`\\[]?[\\p{L}\\p{N}_$]{1,60}["`\\]]?\\.){0,3}["`\\[]?(?!on\\b){NAME}',
          'i',
        ),
      ],
    },
  ],
  [
    'tf hcl tofu',
    {
      ...hashed,
      forms: [
        form('(?:resource|data)\\s{1,9}"[^"]{1,90}"\\s{1,9}"([^"]{1,99})"'),
        form('(?:variable|module|output|provider|job|group|task|source|build)\\s{1,9}"([^"]{1,99})"'),
      ],
    },
  ],
  [
    'mk mak make',
    {
      ...hashed,
      forms: [
        atMargin('define\\s{1,9}([\\w-]{1,99})'),
        atMargin('(?:export\\s{1,9}|override\\s{1,9})?([A-Za-z][\\w-]{0,99})\\s{0,9}(?:\\?|\\+|::?:?)?='),
        atMargin('([A-Za-z][\\w./-]{0,99})\\s{0,9}::?(?!=)'),
      ],
    },
  ],
  [
    'proto thrift capnp fbs',
    {
      ...slashed,
      forms: [
        form('(?:message|enum|service|rpc|oneof|extend|struct|union|exception|table|interface)\\s{1,9}{PATH}{NAME}'),
        form(
          '(?!(?:option|syntax|import|package|return)\\b)(?:(?:repeated|optional|required)\\s{1,9})?(?:map<[^>]{1,60}>|[\\w.]{1,80})\\s{1,9}{NAME}\\s{0,9}=\\s{0,9}\\d',
        ),
        form('([A-Z][A-Z\\d_]{0,99})\\s{0,9}=\\s{0,9}-?\\d'),
        form('typedef\\s{1,9}\\S{1,80}\\s{1,9}{NAME}'),
      ],
    },
  ],
  [
    'graphql gql graphqls prisma',
    {
      ...hashed,
      forms: [
        form(
          '(?:extend\\s{1,9})?(?:type|interface|enum|input|union|scalar|query|mutation|subscription|fragment|directive|model|generator|datasource|view)\\s{1,9}@?{NAME}',
        ),
        form('{NAME}(?:\\([^()]{0,150}\\))?\\s{0,9}:\\s{0,9}\\[{0,2}[A-Z]'),
      ],
    },
  ],
  [
    'scss less sass styl pcss',
    {
      ...slashed,
      forms: [
        form('@(?:mixin|function|keyframes|layer)\\s{1,9}([\\p{L}_-][\\p{L}\\p{N}_-]{0,99})'),
        form('(--[\\p{L}][\\p{L}\\p{N}_-]{0,99})\\s{0,9}:'),
        atMargin('[$@]([\\p{L}_-][\\p{L}\\p{N}_-]{0,99})\\s{0,9}:'),
        form('[.#%]([\\p{L}_-][\\p{L}\\p{N}_-]{0,99})[^;{]{0,200}(?:\\{|,\\s{0,9}$)'),
      ],
    },
  ],
  [
    'cmake',
    {
      ...hashed,
      forms: [
        form(
          '(?:function|macro|add_executable|add_library|add_custom_target|project|option)\\s{0,9}\\(\\s{0,9}([\\w-]{1,99})',
          'i',
        ),
        atMargin('(?:set|SET)\\s{0,9}\\(\\s{0,9}([A-Za-z]\\w{0,99})'),
      ],
    },
  ],
];
