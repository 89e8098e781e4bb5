"""Whether a source uses a name that its exercise forbids, read from the source. Runs in the grader's child.

A ban is of a name, and of all names below it: by import, alias, attribute, getattr, torch.ops or as a method of tensors. To compute the
same by other means is a solution. What reaches names in ways that cannot be read in a source is refused as a whole in such an exercise,
only modules are used of which it is known that they do nothing of the kind, and it stays readable what is a module and what a class is
made of. This module finds the names that a source uses; refused_names decides which of them are refused.
"""

import ast
import builtins
from collections.abc import Iterator

import torch

from app.runtimes.torch.grading.failing import NotPassed
from app.runtimes.torch.grading.source_rules.class_rules import ClassRules
from app.runtimes.torch.grading.source_rules.free_names import free_names
from app.runtimes.torch.grading.source_rules.module_uses import find_module_uses
from app.runtimes.torch.grading.source_rules.reaching_names import DUNDERS, HOOKS, METACLASSES, MODULES, NAMES, OPERATOR_METHODS
from app.runtimes.torch.grading.source_rules.refused_names import RefusedNames, check_reach, is_dunder, reaching
from app.runtimes.torch.grading.source_rules.shown_tables import shown_tables
from app.runtimes.torch.grading.source_rules.source_tree import Names
from app.runtimes.torch.grading.source_rules.torch_modules import ALLOWED, REFUSED_ATTRIBUTES, from_torch

_WRITTEN = 60  # characters of an expression that are told
_TENSORS = ("Tensor", "Parameter", "Buffer")


def check_bans(trees: list[ast.Module], bans: list[str]) -> None:
    """Raises NotPassed at the first use. A ban is a dotted name, "torch.exp" or "torch.func", or an operator, "**"."""
    rules = _Bans(trees, bans)
    for tree in trees:
        for node in sorted(ast.walk(tree), key=lambda node: getattr(node, "lineno", 0)):  # what is outside first, within a line
            rules.check(node)
    rules.check_whole(trees)


class _Bans:
    def __init__(self, trees: list[ast.Module], bans: list[str]) -> None:
        self._names = Names(trees)
        self._refused = RefusedNames(bans)
        self._harmless: set[ast.AST] = set()  # functions of calls that are looked at as a whole
        self._shown = shown_tables(trees)
        self._free = {name for tree in trees for name in free_names(tree)}
        self._classes = {inner.name for tree in trees for inner in ast.walk(tree) if isinstance(inner, ast.ClassDef)}

    def check(self, node: ast.AST) -> None:
        match node:
            case ast.Import() | ast.ImportFrom():
                self._check_import(node)
            case ast.Name():
                self._check_name(node)
            case ast.Attribute():
                self._check_attribute(node)
            case ast.Call(func=ast.Name(id="getattr")):
                self._harmless.add(node.func)
                self._check_getattr(node)
            case ast.Call(func=ast.Attribute(attr="eval"), args=[], keywords=[]):  # a module's
                self._harmless.add(node.func)
            case ast.Call(func=ast.Name(id="type"), args=[made], keywords=[]) if not self._is_class(made):
                self._harmless.add(node.func)
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass")):
                self._harmless.update(node.args)
            case ast.MatchClass(patterns=[_, *_]):  # the names are in __match_args__, which namedtuple and others fill
                raise NotPassed("ban-pattern", name=ast.unparse(node.cls), line=node.lineno)
            case ast.MatchClass():
                for name in node.kwd_attrs:
                    self._check_attribute(ast.copy_location(ast.Attribute(value=ast.Constant(None), attr=name, ctx=ast.Load()), node))
            case ast.FunctionDef() | ast.ClassDef() if node.name in HOOKS:
                raise reaching(node.name, node)
            case ast.ClassDef():
                self._harmless.update(keyword.value for keyword in node.keywords if keyword.arg == "metaclass")
                if node.bases:
                    self._check_bases(node)
                    self._check_fields(node)
            case ast.BinOp() | ast.AugAssign():
                self._refused.check_operator(node)

    def check_whole(self, trees: list[ast.Module]) -> None:
        """What the rules for single names rest on: that modules and classes are what they are called."""
        classes = ClassRules(trees, self._names)
        for base in classes.find_unknown_bases():
            raise NotPassed("ban-base", name=ast.unparse(base), line=base.lineno)
        for used in classes.find_misplaced([node for tree in trees for node in ast.walk(tree)]):
            raise NotPassed("ban-decorator", name=ast.unparse(used), line=used.lineno)
        for renamed in classes.find_renamed():
            raise NotPassed("ban-unseen", name=renamed.attr, line=renamed.lineno)
        for used in classes.find_metaclasses():
            raise NotPassed("ban-unseen", name=ast.unparse(used), line=used.lineno)
        for module_use, name in find_module_uses(trees, self._names):
            raise NotPassed("ban-module-use", name=name, line=getattr(module_use, "lineno", "?"))

    def _is_class(self, node: ast.expr) -> bool:
        """Whether an expression is known to be a class, so that its type makes classes."""
        if isinstance(node, ast.Name) and (node.id in self._classes or isinstance(getattr(builtins, node.id, None), type)):
            return True
        is_made = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"
        return is_made or any(meaning.rpartition(".")[2][:1].isupper() for meaning in self._names.meanings(node))

    def _check_bases(self, node: ast.ClassDef) -> None:
        """What derives from tensors has their methods, and may have others that take names as text."""
        for base in node.bases:
            if any(from_torch(name).startswith("torch.") and name.endswith(_TENSORS) for name in self._names.meanings(base)):
                raise NotPassed("ban-unseen", name=ast.unparse(base), line=base.lineno)

    def _check_fields(self, node: ast.ClassDef) -> None:
        """A field without a value has that of a base where this is a data class."""
        for item in node.body:
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and item.value is None:
                self._refused.check_last(item.target.id, item, item.target.id)

    def _check_import(self, node: ast.Import | ast.ImportFrom) -> None:
        for module, name, alias in _imported(node):
            root = module.partition(".")[0]
            if root not in MODULES:
                raise NotPassed("ban-import", name=module or ".", line=node.lineno, allowed=", ".join(sorted(MODULES)))
            if name == "*" and root in self._refused.roots | {"torch"}:
                raise NotPassed("ban-star", name=module, line=node.lineno)
            written = f"{module}.{name}" if name else module
            self._refused.check_dotted({written}, node, alias)
            for part in [*module.split(".")[1:], *([name] if name else [])]:
                check_reach(part, node)
                if root == "torch" and part.startswith("_"):
                    raise NotPassed("ban-private", name=part, line=node.lineno)
            if name and root == "torch":
                self._refused.check_last(name, node, written)
            if root == "torch" and module not in ALLOWED and "torch" in self._refused.roots:
                raise self._refused.not_listed(module, node)
            self._refused.check_modules({module, written}, node)

    def _check_name(self, node: ast.Name) -> None:
        is_hidden = is_dunder(node.id) and node.id not in OPERATOR_METHODS
        is_builtin = node.id in NAMES or is_hidden or (node.id in ("getattr", "type") and node not in self._harmless)
        if is_builtin and node in self._free and node not in self._shown:
            raise reaching(node.id, node)
        if isinstance(node.ctx, ast.Load):  # what a name is given is looked at where it stands
            meanings = self._names.meanings(node)
            self._check_metaclass(node, meanings | {node.id})
            self._refused.check_dotted(meanings, node, node.id)

    def _check_attribute(self, node: ast.Attribute) -> None:
        if self._is_of_own_class(node) or node in self._shown:
            return
        if is_dunder(node.attr) or (node.attr == "eval" and node not in self._harmless):
            raise reaching(node.attr, node)
        meanings = self._names.meanings(node.value)
        is_known = bool(meanings) and not self._names.is_tainted(node.value)
        elsewhere = is_known and all((self._refused.roots | {"torch"}).isdisjoint(meaning.split(".")) for meaning in meanings)
        check_reach(node.attr, node)
        self._check_metaclass(node, {node.attr})
        is_told = bool(meanings) or self._refused.has_last(node.attr) or node.attr in REFUSED_ATTRIBUTES
        written = _written(node) if is_told else node.attr  # a long expression takes long to be written
        names = {f"{meaning}.{node.attr}" for meaning in meanings}
        self._refused.check_dotted(names | {from_torch(name) for name in names}, node, written)
        is_own = node.attr in self._names.kept and not meanings
        if not elsewhere and (isinstance(node.ctx, ast.Load) or self._refused.has_last_of_tensors(node.attr)):
            if not is_own:
                self._refused.check_last(node.attr, node, written)
            elif hasattr(torch.Tensor, node.attr):  # what only modules have is not reached by it: modules are not used as values
                self._refused.check_last(node.attr, node, written, "ban-attribute")
        if self._is_private(node.attr, meanings):
            raise NotPassed("ban-private", name=node.attr, line=node.lineno)
        self._refused.check_modules(names, node)
        if "torch" in self._refused.roots and not is_known and node.attr in REFUSED_ATTRIBUTES - MODULES:
            raise self._refused.not_listed(written, node)

    def _is_of_own_class(self, node: ast.Attribute) -> bool:
        """What methods of a class that the source defines may use: type(x) by its other name, an operator as a method, a new object."""
        match node:
            case ast.Attribute(attr="__class__", ctx=ast.Load()):
                return not self._is_class(node.value)
            case ast.Attribute(value=ast.Name(id="self") | ast.Call(func=ast.Name(id="super")), attr=name) if name in OPERATOR_METHODS:
                return not self._refused.operators
            case ast.Attribute(value=ast.Name(id="object") | ast.Call(func=ast.Name(id="super")), attr="__new__"):
                return True
            case _:
                return False

    def _check_metaclass(self, node: ast.expr, names: set[str]) -> None:
        if node not in self._harmless and not METACLASSES.isdisjoint(name.rpartition(".")[2] for name in names):
            raise NotPassed("ban-unseen", name=ast.unparse(node), line=node.lineno)

    def _is_private(self, name: str, meanings: set[str]) -> bool:
        """What a module keeps for itself, also where nothing says that this is a module; not what the source itself keeps."""
        return name.startswith("_") and name not in DUNDERS and (bool(meanings) or name not in self._names.kept or hasattr(torch, name))

    def _check_getattr(self, node: ast.Call) -> None:
        match node.args:
            case [base, ast.Constant(value=str(name)), *_]:
                self._check_attribute(ast.copy_location(ast.Attribute(value=base, attr=name, ctx=ast.Load()), node))
            case _:
                raise reaching("getattr", node)


def _written(node: ast.Attribute) -> str:
    """As the learner wrote it; of a long expression, the attribute."""
    try:
        written = node.attr if isinstance(node.value, ast.Constant) else ast.unparse(node)  # a constant: in a pattern
    except RecursionError:
        return f".{node.attr}"
    return written if len(written) <= _WRITTEN else f".{node.attr}"


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str | None, str | None]]:
    """Each module, the name that is taken from it, and what it is called here, if that is another name."""
    for alias in node.names:
        if isinstance(node, ast.Import):
            yield alias.name, None, alias.asname
        else:
            yield f"{'.' * node.level}{node.module or ''}", alias.name, alias.asname
