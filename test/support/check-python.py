"""Says what is wrong with the Python modules below a folder: those that do not compile or import, and names that their syntax
trees leave unbound. Prints a JSON list of sentences, one for each, without line numbers.

A name is unbound when nothing in its module, nor the builtins, binds it; an imported name or an attribute of an imported
module when that module binds no such name; an attribute of `self` when neither its class nor a base binds it.
What cannot be known from the trees alone (a foreign base, `import *` of something outside, `__getattr__`) says nothing.
"""

import ast
import builtins
import importlib
import io
import os
import symtable
import sys
import warnings

root = sys.argv[1]
warnings.simplefilter("ignore")
found = []


def modules():
    for folder, names, files in os.walk(root):
        names[:] = sorted(name for name in names if not name.startswith((".", "__pycache__")))
        for name in sorted(files):
            if not name.endswith(".py"):
                continue
            path = os.path.join(folder, name)
            parts = os.path.relpath(path, root)[:-3].split(os.sep)
            is_package = parts[-1] == "__init__"
            yield ".".join(parts[:-1] if is_package else parts), is_package, path


trees, packages, texts = {}, set(), {}
for name, is_package, path in modules():
    with open(path, "rb") as file:
        source = file.read()
    try:
        trees[name] = ast.parse(source, path)
        texts[name] = source.decode("utf-8")
    except (SyntaxError, UnicodeDecodeError) as error:
        found.append(f"{name} does not compile: {getattr(error, 'msg', error)}")
    if is_package:
        packages.add(name)


def source_of(module, node):
    """Name of the module that a `from` import names."""
    if node.level == 0:
        return node.module or ""
    parts = module.split(".") if module in packages else module.split(".")[:-1]
    base = parts[: len(parts) - (node.level - 1)]
    return ".".join(base + ([node.module] if node.module else []))


def table_of(name):
    try:
        return symtable.symtable(texts[name], name, "exec")
    except SyntaxError:
        return None


tables = {name: table_of(name) for name in trees}
bound, stars = {}, {}
for name, tree in trees.items():
    names = set()
    if tables[name] is not None:
        names = {s.get_name() for s in tables[name].get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}

        def globals_in(table):
            for symbol in table.get_symbols():
                if symbol.is_declared_global() and symbol.is_assigned():
                    names.add(symbol.get_name())
            for child in table.get_children():
                globals_in(child)

        globals_in(tables[name])
    bound[name] = names | {"__file__", "__name__", "__doc__", "__path__", "__spec__", "__all__", "__builtins__", "__package__"}
    stars[name] = [
        source_of(name, node)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)
    ]


def binds(name, attribute, seen=()):
    """Whether a module has a name; None where that cannot be told."""
    if name not in trees:
        return None
    if attribute in bound[name] or f"{name}.{attribute}" in trees or "__getattr__" in bound[name]:
        return True
    for star in stars[name]:
        if star in seen:
            continue
        inner = binds(star, attribute, (*seen, name))
        if inner is not False:
            return inner
    return False


def check_names(name):
    def visit(table):
        for symbol in table.get_symbols():
            word = symbol.get_name()
            is_free = symbol.is_global() or table.get_type() == "module"
            if is_free and symbol.is_referenced() and not hasattr(builtins, word) and binds(name, word) is False:
                found.append(f"{name}: {word} is unbound")
        for child in table.get_children():
            visit(child)

    if tables[name] is not None:
        visit(tables[name])


def check_imports(name, tree):
    aliases = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            module = source_of(name, node)
            for alias in node.names:
                if alias.name != "*" and binds(module, alias.name) is False:
                    found.append(f"{name}: {module} has no {alias.name}")
                if f"{module}.{alias.name}" in trees and alias.name not in bound.get(module, ()):
                    aliases[alias.asname or alias.name] = f"{module}.{alias.name}"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname or "." not in alias.name:
                    aliases[alias.asname or alias.name] = alias.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in aliases:
            module = aliases[node.value.id]
            if binds(module, node.attr) is False:
                found.append(f"{name}: {module}.{node.attr} is unbound")
    for node in tree.body:
        is_all = isinstance(node, (ast.Assign, ast.AugAssign)) and any(
            isinstance(target, ast.Name) and target.id == "__all__"
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        )
        if is_all and isinstance(node.value, (ast.List, ast.Tuple)):
            for element in node.value.elts:
                if isinstance(element, ast.Constant) and binds(name, element.value) is False:
                    found.append(f"{name}: __all__ lists {element.value}, which is unbound")


classes = {}
for name, tree in trees.items():
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            classes.setdefault(node.name, []).append((name, node))


def own_attributes(node):
    names = set()
    for inner in ast.walk(node):
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(inner.name)
        elif isinstance(inner, ast.Attribute) and isinstance(inner.ctx, (ast.Store, ast.Del)):
            names.add(inner.attr)
    for statement in node.body:
        for inner in ast.walk(statement):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                names.add(inner.id)
            elif isinstance(inner, ast.alias):
                names.add((inner.asname or inner.name).split(".")[0])
    return names


def family(node, seen):
    """All classes above and below by their names; None where a base is unknown."""
    if id(node) in seen:
        return True
    seen[id(node)] = node
    for base in node.bases:
        word = base.id if isinstance(base, ast.Name) else base.attr if isinstance(base, ast.Attribute) else ""
        if word == "object":
            continue
        if word not in classes:
            return None
        for _, other in classes[word]:
            if family(other, seen) is None:
                return None
    if node.keywords:
        return None
    return True


def check_self(name, tree):
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        seen = {}
        if family(node, seen) is None:
            continue
        names = set().union(*(own_attributes(one) for one in seen.values()))
        if names & {"__getattr__", "__getattribute__", "__slots__"}:
            continue
        for method in node.body:
            if not isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)) or not method.args.args:
                continue
            first = method.args.args[0].arg
            for inner in ast.walk(method):
                is_own = isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name) and inner.value.id == first
                if is_own and isinstance(inner.ctx, ast.Load) and inner.attr not in names and not hasattr(object, inner.attr):
                    if first == "cls" and hasattr(type, inner.attr):
                        continue
                    found.append(f"{name}: {node.name} has no {inner.attr}")


for name, tree in trees.items():
    check_names(name)
    check_imports(name, tree)
    check_self(name, tree)

# The modules of the folder stand before those of the library, whose own were loaded before.
tops = {name.split(".")[0] for name in trees}
for loaded in [key for key in sys.modules if key.split(".")[0] in tops]:
    del sys.modules[loaded]
sys.path.insert(0, root)
out = sys.stdout
for name in trees:
    if name.endswith("__main__"):
        continue
    sys.stdout = sys.stderr = io.StringIO()
    try:
        importlib.import_module(name)
    except BaseException as error:
        found.append(f"{name} does not import: {type(error).__name__} {error}".replace(root, ""))
sys.stdout = out
import json as _json

print(_json.dumps(sorted(set(found))))
