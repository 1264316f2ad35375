"""Validates JSON files against a JSON Schema: with the library jsonschema, else with the code below.

usage: validate-json.py SCHEMA-FOLDER FILE|FOLDER...

The key "schema" of a file names its schema:
seamscope.report/1 is seamscope.report.1.json. Text after a line of "== exit status" is not part of the JSON.
"""

import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    jsonschema = None

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None),
         "integer": int, "number": (int, float)}
KEYWORDS = {"$schema", "$id", "$defs", "$ref", "title", "description", "const", "type", "properties", "required",
            "additionalProperties", "items"}


def is_of(value, name):
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, TYPES[name]) and not (name in ("integer", "number") and isinstance(value, bool))


def problems(value, schema, root, path="$"):
    """The errors that the library would find, for the keywords in our schemas."""
    unknown = schema.keys() - KEYWORDS
    assert not unknown, f"{path}: keywords {unknown}"
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        yield from problems(value, target, root, path)
    if "const" in schema and value != schema["const"]:
        yield f"{path}: {value!r} is not {schema['const']!r}"
    names = schema.get("type", [])
    names = [names] if isinstance(names, str) else names
    if names and not any(is_of(value, name) for name in names):
        yield f"{path}: {value!r} is not of {names}"
        return
    if isinstance(value, dict):
        known = schema.get("properties", {})
        for key in schema.get("required", []):
            if key not in value:
                yield f"{path}: has no {key!r}"
        for key, inner in value.items():
            if key in known:
                yield from problems(inner, known[key], root, f"{path}.{key}")
            elif schema.get("additionalProperties", True) is False:
                yield f"{path}: {key!r} is not in the schema"
    if isinstance(value, list) and "items" in schema:
        for number, inner in enumerate(value):
            yield from problems(inner, schema["items"], root, f"{path}[{number}]")


def library_problems(value, schema):
    jsonschema.Draft202012Validator.check_schema(schema)
    for error in jsonschema.Draft202012Validator(schema).iter_errors(value):
        yield f"{error.json_path}: {error.message}"


def main():
    folder, found, files = pathlib.Path(sys.argv[1]), 0, []
    for path in map(pathlib.Path, sys.argv[2:]):
        files += sorted(path.glob("*.json")) if path.is_dir() else [path]
    assert files, sys.argv
    for name in files:
        value = json.loads(name.read_text(encoding="utf-8").split("\n== exit status")[0])
        schema = json.loads((folder / (value["schema"].replace("/", ".") + ".json")).read_text(encoding="utf-8"))
        # If the library is installed, it is used too; ours must find what it finds.
        ours = list(problems(value, schema, schema))
        theirs = list(library_problems(value, schema)) if jsonschema else ours
        for problem in theirs or ours:
            print(f"{name}: {problem}")
        assert bool(theirs) == bool(ours), (theirs, ours)
        found += len(theirs)
    print(f"{len(files)} files, {found} problems, by {'jsonschema' if jsonschema else 'our own validator'}")
    sys.exit(found != 0)


if __name__ == "__main__":
    main()
