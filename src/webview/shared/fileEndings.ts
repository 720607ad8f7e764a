/** Endings by which a word of running text is a file's name, and names of files that have no ending. */

const endings = new Set(
  [
    'ts tsx mts cts js jsx mjs cjs vue svelte astro html htm xhtml css scss sass less styl pcss svg hbs ejs pug twig liquid njk',
    'py pyi pyx pyw ipynb rb erb rake gemspec php phtml java kt kts scala sc groovy gradle clj cljs cljc edn cs csx csproj sln slnx',
    'fs fsx fsproj vb vbproj xaml razor cshtml resx c h cc cpp cxx hh hpp hxx ino cu cuh m mm swift go mod rs zig nim dart lua pl pm',
    'r rmd qmd jl ex exs eex heex leex erl hrl hs lhs ml mli elm purs rkt scm lisp el cr v sv vhd vhdl asm s f90 f95 f03 pas dpr',
    'sol move cairo proto thrift graphql gql prisma sql psql ddl tf tfvars hcl nix bicep cmake mk make bazel bzl ninja meson',
    'sh bash zsh fish ps1 psm1 psd1 bat cmd awk sed json jsonc json5 jsonl ndjson yaml yml toml ini cfg conf config env properties',
    'xml xsd xsl xslt plist strings storyboard xib entitlements pbxproj xcconfig csv tsv md mdx markdown rst adoc txt text tex bib org',
    'log lock diff patch pdf doc docx xls xlsx ppt pptx odt png jpg jpeg gif webp ico bmp mp3 mp4 wav flac webm woff woff2 ttf otf',
    'zip gz tgz tar jar war whl wasm exe dll so dylib db sqlite sqlite3 pem crt cer service socket dockerfile containerfile',
    'code-workspace editorconfig gitignore dockerignore snap tpl tmpl template j2 jinja jinja2 mustache feature http rest po pot arb',
    'glsl frag vert hlsl wgsl metal shader gd tscn tres unity prefab asset csl wat tcl d applescript vim xhtml webmanifest',
  ].flatMap((line) => line.split(' ')),
);

/** Files that are named without an ending, as their tools spell them. */
const bareNames = new Set(
  [
    'Dockerfile Containerfile Makefile GNUmakefile makefile dockerfile Vagrantfile Jenkinsfile Gemfile Rakefile Procfile Brewfile',
    'Podfile Fastfile Appfile Matchfile Dangerfile Cartfile Guardfile Capfile Berksfile Puppetfile Thorfile Pipfile Justfile justfile',
    'Caddyfile Tiltfile Earthfile Snakefile Taskfile Steepfile Mintfile Deliverfile Gymfile Scanfile Snapfile Cakefile Jakefile',
    'BUILD WORKSPACE LICENSE LICENCE COPYING NOTICE README CHANGELOG CONTRIBUTING AUTHORS CONTRIBUTORS CODEOWNERS OWNERS VERSION',
    'SConstruct SConscript Kconfig Kbuild PKGBUILD gradlew mvnw artisan Doxyfile CNAME',
  ].flatMap((line) => line.split(' ')),
);

const dotNames = new Set(
  [
    '.env .gitignore .gitattributes .gitmodules .gitkeep .mailmap .dockerignore .npmignore .npmrc .nvmrc .node-version .yarnrc .pnpmrc',
    '.editorconfig .eslintrc .eslintignore .prettierrc .prettierignore .stylelintrc .babelrc .swcrc .browserslistrc .mocharc .nycrc',
    '.bashrc .bash_profile .zshrc .zshenv .profile .vimrc .inputrc .tmux .gitconfig .htaccess .htpasswd .flake8 .pylintrc .coveragerc',
    '.python-version .ruby-version .tool-versions .rubocop .rspec .clang-format .clang-tidy .clangd .envrc .vscodeignore .helmignore',
    '.flowconfig .watchmanconfig .buckconfig .bazelrc .bazelversion .terraformignore .netrc .pypirc .condarc .luacheckrc .cursorrules',
  ].flatMap((line) => line.split(' ')),
);

export function isKnownEnding(ending: string): boolean {
  return endings.has(ending.toLowerCase());
}

/** `Makefile`, `Dockerfile.dev`, and what is spelled as their kind: `Foofile`. */
export function isBareName(name: string): boolean {
  const [stem = ''] = name.split('.', 1);
  return (
    bareNames.has(stem) ||
    (/^[A-Z][a-z]{1,15}file$/.test(name) && !/^(?:Pro|Log|Text|Sub|Data|Single|Multi|Any)file$/.test(name))
  );
}

/** `.env`, `.env.local`, `.prettierrc.json`. */
export function isDotName(name: string): boolean {
  const [, stem = '', ...rest] = name.split('.');
  if (!name.startsWith('.') || stem === '') return false;
  return (
    dotNames.has(`.${stem}`) ||
    (/(?:rc|ignore)$/.test(stem) && rest.every(isKnownEnding)) ||
    isKnownEnding(rest.at(-1) ?? '')
  );
}
