export { parseYaml, YAML_LIMITS, type YamlResult } from "./parse-yaml.ts";
export { readMapping } from "./read-mapping.ts";
export { readYamlFile, readYamlText } from "./read-yaml-file.ts";
export { isNull, lineAt, toValue, type YamlList, type YamlMap, type YamlNode, type YamlScalar } from "./yaml-node.ts";
