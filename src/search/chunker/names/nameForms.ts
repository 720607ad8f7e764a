import type { Node } from '@vscode/tree-sitter-wasm';
import type { Entering, NameFinder } from './nameFinders.ts';
import * as find from './nameFinders.ts';

/** The declarations of a grammar, by the types of its nodes. */
export interface GrammarForms {
  /** Named by their field `name`, wherever they stand. */
  named?: string;
  /** Named so, but names only at the level of a module or a type: each of the fields `name`. */
  namedOuter?: string;
  /** Named otherwise. */
  finders?: Readonly<Record<string, NameFinder>>;
  /** What holds declarations that others use, as the body of a class does. */
  outer?: string;
  /** What holds declarations of its own: functions. */
  local?: string;
  /** What holds no declarations. */
  none?: string;
  /** Entered though on one line: always, or where a condition holds. */
  enters?: string;
  entersIf?: Entering;
  /** What a text in a function has that declares something itself; any text may where this is left out. */
  inFunctions?: RegExp;
  /** Settings and styles: names are taken as they stand. */
  isData?: true;
}

const ecmaScript: GrammarForms = {
  named:
    'function_declaration generator_function_declaration class_declaration method_definition ' +
    'abstract_class_declaration interface_declaration enum_declaration type_alias_declaration internal_module module ' +
    'function_signature method_signature abstract_method_signature enum_assignment',
  namedOuter: 'public_field_definition property_signature',
  finders: {
    field_definition: find.fieldOf('property'),
    variable_declarator: find.ecmaVariable,
    assignment_expression: find.ecmaAssignment,
    pair: find.ecmaPair,
    enum_body: find.fieldsOf('name'),
  },
  outer: 'class_body interface_body enum_body type_alias_declaration',
  local: 'function_declaration generator_function_declaration method_definition arrow_function function_expression',
  inFunctions: /=>|function|class|[\w$](?<!\b(?:if|for|while|switch|catch)) ?\([^)]{0,200}\)(?::[^;{]{1,80})?\s?\{/,
  none: 'formal_parameters type_annotation import_statement template_string type_parameters type_arguments object_pattern',
  enters:
    'export_statement ambient_declaration class_declaration abstract_class_declaration class_body interface_declaration ' +
    'interface_body enum_declaration enum_body type_alias_declaration object_type internal_module module statement_block',
  entersIf: {
    ...find.entersForFunctions(
      'expression_statement variable_declarator assignment_expression return_statement object parenthesized_expression class',
    ),
    lexical_declaration: find.entersVariables,
    variable_declaration: find.entersVariables,
    statement_block: (cursor, text, level) => level === 'outer' || find.hasFunction(cursor, text, level),
  },
};

const declarators: NameFinder = (cursor) =>
  cursor.currentNode
    .childrenForFieldName('declarator')
    .map((declarator: Node | null) => declarator?.childForFieldName('name') ?? null);

/** Each grammar's declarations. The types are those of its `node-types.json`. */
export const grammarForms: Readonly<Record<string, GrammarForms>> = {
  javascript: ecmaScript,
  typescript: ecmaScript,
  tsx: ecmaScript,
  bash: {
    named: 'function_definition',
    namedOuter: 'variable_assignment',
    local: 'function_definition',
    inFunctions: /function|\(\)/,
    none: 'heredoc_redirect string command',
    enters: 'declaration_command',
  },
  cpp: {
    named: 'preproc_def preproc_function_def alias_declaration namespace_definition concept_definition enumerator',
    finders: {
      function_definition: find.cFunction,
      declaration: find.cDeclaration,
      field_declaration: find.cDeclaration,
      type_definition: find.cTypedef,
      ...find.withBody('class_specifier struct_specifier union_specifier enum_specifier'),
    },
    outer: 'class_specifier struct_specifier union_specifier enum_specifier',
    local: 'function_definition lambda_expression',
    none: 'parameter_list template_parameter_list initializer_list argument_list',
    enters:
      'declaration field_declaration type_definition class_specifier struct_specifier union_specifier enum_specifier ' +
      'enumerator_list field_declaration_list namespace_definition declaration_list template_declaration ' +
      'linkage_specification preproc_ifdef preproc_if',
    entersIf: { declaration: find.onlyOuter },
  },
  'c-sharp': {
    named:
      'class_declaration interface_declaration struct_declaration enum_declaration record_declaration ' +
      'record_struct_declaration delegate_declaration method_declaration constructor_declaration property_declaration ' +
      'event_declaration enum_member_declaration namespace_declaration file_scoped_namespace_declaration ' +
      'local_function_statement',
    finders: { field_declaration: find.csharpFields, event_field_declaration: find.csharpFields },
    local: 'method_declaration constructor_declaration local_function_statement lambda_expression accessor_list',
    inFunctions: /\)\s*(?:\{|=>)/,
    none: 'parameter_list attribute_list argument_list',
    enters:
      'class_declaration interface_declaration struct_declaration enum_declaration record_declaration ' +
      'record_struct_declaration namespace_declaration declaration_list enum_member_declaration_list',
  },
  css: {
    finders: {
      rule_set: find.cssSelectors,
      declaration: find.cssProperty,
      keyframes_statement: find.childOf('keyframes_name'),
    },
    enters: 'rule_set block media_statement supports_statement at_rule',
    isData: true,
  },
  go: {
    named: 'function_declaration method_declaration type_spec type_alias method_elem method_spec',
    namedOuter: 'const_spec var_spec field_declaration',
    outer: 'type_spec',
    local: 'function_declaration method_declaration func_literal',
    inFunctions: /\btype\b|\binterface\b/,
    none: 'parameter_list argument_list import_declaration',
    enters: 'type_declaration const_declaration type_spec struct_type field_declaration_list interface_type',
    entersIf: { const_declaration: find.onlyOuter, var_declaration: find.onlyOuter, var_spec_list: find.onlyOuter },
  },
  ini: {
    finders: { section_name: find.childOf('text'), setting: find.childOf('setting_name') },
    enters: 'section',
    isData: true,
  },
  java: {
    named:
      'class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration ' +
      'method_declaration constructor_declaration compact_constructor_declaration enum_constant ' +
      'annotation_type_element_declaration',
    finders: { field_declaration: declarators, constant_declaration: declarators },
    outer: 'class_body interface_body enum_body',
    local: 'method_declaration constructor_declaration compact_constructor_declaration lambda_expression',
    inFunctions: /class|interface|enum|record|new\s/,
    none: 'formal_parameters modifiers',
    enters:
      'class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration ' +
      'class_body interface_body enum_body enum_body_declarations annotation_type_body',
  },
  kotlin: {
    finders: {
      class_declaration: find.childOf('type_identifier'),
      object_declaration: find.childOf('type_identifier'),
      companion_object: find.childOf('type_identifier'),
      type_alias: find.childOf('type_identifier'),
      function_declaration: find.childOf('simple_identifier'),
      enum_entry: find.childOf('simple_identifier'),
      class_parameter: find.kotlinParameter,
      property_declaration: find.kotlinProperties,
    },
    outer: 'class_body enum_class_body',
    local:
      'function_declaration anonymous_function lambda_literal secondary_constructor anonymous_initializer getter setter',
    inFunctions: /\b(?:fun|class|interface|object)\b/,
    none: 'import_list package_header modifiers function_value_parameters type_parameters user_type string_literal',
    enters: 'class_declaration object_declaration companion_object class_body enum_class_body primary_constructor',
  },
  php: {
    named:
      'function_definition class_declaration interface_declaration trait_declaration enum_declaration ' +
      'method_declaration enum_case namespace_definition property_element',
    finders: { const_element: find.childOf('name') },
    outer: 'declaration_list',
    local: 'function_definition method_declaration anonymous_function arrow_function',
    inFunctions: /function|class|fn\b/,
    none: 'formal_parameters attribute_list namespace_use_declaration',
    enters:
      'class_declaration interface_declaration trait_declaration enum_declaration declaration_list ' +
      'enum_declaration_list const_declaration property_declaration',
  },
  powershell: {
    finders: {
      function_statement: find.childOf('function_name'),
      class_statement: find.childOf('simple_name'),
      enum_statement: find.childOf('simple_name'),
      enum_member: find.childOf('simple_name'),
      class_method_definition: find.childOf('simple_name'),
      class_property_definition: find.childOf('variable'),
    },
    none: 'class_method_parameter_list param_block',
    enters: 'statement_list class_statement enum_statement',
  },
  python: {
    named: 'class_definition function_definition',
    finders: { assignment: find.pythonAssignment, type_alias_statement: find.fieldOf('left') },
    outer: 'class_definition',
    local: 'function_definition lambda',
    inFunctions: /\bdef\b|class|lambda/,
    none: 'parameters argument_list string decorator import_from_statement',
    enters: 'class_definition decorated_definition block',
    entersIf: { expression_statement: find.entersAssignment },
  },
  ruby: {
    named: 'class module method singleton_method alias',
    finders: { assignment: find.rubyConstant, call: find.rubyAttributes },
    outer: 'class module singleton_class',
    local: 'method singleton_method lambda',
    inFunctions: /\bdef\b|class|module|define_method/,
    none: 'method_parameters string',
    enters: 'class module body_statement',
    entersIf: { call: find.hasDefinition, argument_list: find.hasDefinition },
  },
  rust: {
    named:
      'struct_item enum_item union_item trait_item type_item mod_item function_item function_signature_item ' +
      'macro_definition const_item static_item enum_variant associated_type',
    namedOuter: 'field_declaration',
    finders: { impl_item: (cursor) => ['type', 'trait'].map((field) => cursor.currentNode.childForFieldName(field)) },
    outer: 'struct_item enum_item union_item trait_item impl_item',
    local: 'function_item closure_expression',
    inFunctions: /\bfn\b|struct|enum|impl|trait|type|const|static|macro_rules|mod\b/,
    none: 'parameters macro_invocation token_tree use_declaration type_parameters macro_rule',
    enters:
      'struct_item enum_item union_item trait_item impl_item mod_item declaration_list field_declaration_list ' +
      'enum_variant_list enum_variant foreign_mod_item',
  },
  scala: {
    named:
      'class_definition object_definition trait_definition enum_definition package_object type_definition ' +
      'function_definition function_declaration given_definition simple_enum_case full_enum_case',
    finders: {
      val_definition: find.scalaValue('pattern'),
      var_definition: find.scalaValue('pattern'),
      val_declaration: find.scalaValue('name'),
      var_declaration: find.scalaValue('name'),
      class_parameter: find.scalaParameter,
    },
    outer: 'template_body enum_body',
    local: 'function_definition lambda_expression case_block',
    inFunctions: /\b(?:def|class|trait|object|enum|type|given)\b/,
    none: 'import_declaration annotation parameters type_parameters string interpolated_string_expression',
    enters:
      'class_definition object_definition trait_definition enum_definition package_object extension_definition ' +
      'template_body enum_body enum_case_definitions class_parameters',
  },
};
