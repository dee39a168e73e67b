"""Symbols of Python files by CPython's own parser, one JSON line each: truth for `measure-trees.ts`.

usage: python3 python-symbols.py DIR
"""

import ast
import json
import os
import re
import sys

CONSTANT = re.compile(r"^_*[A-Z][A-Z0-9_]*$")
PROPERTY = {"property", "cached_property", "abstractproperty", "setter", "getter", "deleter"}
ENUM = re.compile(r"(?:^|\.)(?:Int|Str)?(?:Enum|Flag)$")


def decorator_names(node):
    for decorator in node.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        yield target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")


def target_names(target):
    if isinstance(target, ast.Name):
        yield target
    elif isinstance(target, (ast.Tuple, ast.List)):
        for inner in target.elts:
            yield from target_names(inner)
    elif isinstance(target, ast.Starred):
        yield from target_names(target.value)


class Reader:
    def __init__(self, file):
        self.file = file
        self.rows = []

    def add(self, kind, name, container, line, end, inner):
        self.rows.append(
            {"file": self.file, "kind": kind, "name": name, "container": container, "line": line, "endLine": end, "inner": inner}
        )

    def body(self, statements, container, scope, inner, seen, is_enum=False):
        """`scope` is what the statements stand in: module, class or function."""
        for node in statements:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                in_class = scope == "class"
                kind = "function"
                if in_class:
                    kind = "method"
                    if node.name == "__init__":
                        kind = "constructor"
                    elif PROPERTY & set(decorator_names(node)):
                        kind = "property"
                self.add(kind, node.name, container, node.lineno, node.end_lineno, inner)
                seen.add(node.name)
                self.body(node.body, node.name, "function", True, set())
                if kind == "constructor":
                    self.attributes(node, container, inner, seen)
            elif isinstance(node, ast.ClassDef):
                enum = any(ENUM.search(ast.unparse(base)) for base in node.bases)
                self.add("enum" if enum else "class", node.name, container, node.lineno, node.end_lineno, inner)
                seen.add(node.name)
                own = set()
                self.body(node.body, node.name, "class", inner, own, enum)
            elif scope != "function" and isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for name in (name for target in targets for name in target_names(target)):
                    if name.id in seen or name.id == "__all__":
                        continue
                    seen.add(name.id)
                    kind = "constant" if CONSTANT.match(name.id) else "field" if scope == "class" else "variable"
                    if is_enum and node.value is not None and not name.id.startswith("_"):
                        kind = "enumMember"
                    self.add(kind, name.id, container, name.lineno, node.end_lineno, inner)
            else:
                for field in ("body", "handlers", "orelse", "finalbody", "cases"):
                    for inside in [getattr(node, field, [])]:
                        blocks = [it.body if isinstance(it, (ast.ExceptHandler, ast.match_case)) else [it] for it in inside]
                        for block in blocks:
                            self.body(block, container, scope, inner, seen, is_enum)

    def attributes(self, method, container, inner, seen):
        """What `__init__` sets on its first parameter, in the functions' own statements."""
        if not method.args.args and not method.args.posonlyargs:
            return
        me = (method.args.posonlyargs + method.args.args)[0].arg

        def visit(node):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
                return
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                flat = [it for target in targets for it in (target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target])]
                for target in flat:
                    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == me:
                        if target.attr not in seen:
                            seen.add(target.attr)
                            self.add("field", target.attr, container, target.end_lineno, node.end_lineno, inner)
            for child in ast.iter_child_nodes(node):
                visit(child)

        for statement in method.body:
            visit(statement)


def main(folder):
    for root, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            if not name.endswith(".py"):
                continue
            path = os.path.join(root, name)
            try:
                with open(path, "rb") as source:
                    text = source.read().decode("utf-8")
                tree = ast.parse(text)
            except (SyntaxError, UnicodeDecodeError, ValueError):
                continue
            if "\f" in text:
                continue  # the line numbers of ast and of an editor differ behind a form feed
            reader = Reader(os.path.relpath(path, folder))
            reader.body(tree.body, "", "module", False, set())
            print(json.dumps({"file": reader.file}))
            for row in reader.rows:
                print(json.dumps(row))


main(sys.argv[1])
