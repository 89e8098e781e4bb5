"""Names that lead from a source to what is not written in it, and the modules that do not. Runs in the grader's child.

Where an exercise bans a name, all of these are refused: what they reach cannot be read in the source.
"""

from types import AsyncGeneratorType, CodeType, CoroutineType, FrameType, GeneratorType, TracebackType


def _words(text: str) -> set[str]:
    return set(text.split())


# What may be imported.
MODULES = _words(
    "__future__ abc cmath collections contextlib copy dataclasses decimal fractions functools graphviz itertools json math matplotlib "
    "numpy operator pprint random statistics textwrap time torch torchviz tqdm typing warnings"
)
NAMES = _words(
    "__builtins__ __import__ __loader__ __spec__ breakpoint compile delattr eval exec globals locals setattr vars "
    "attrgetter methodcaller get_type_hints singledispatch singledispatchmethod update_wrapper wraps make_dataclass "
    "redirect_stdout redirect_stderr"  # a subclass of them reads an attribute of sys that it names by a text
)
_FRAMES_AND_CODE = {  # gi_frame, f_builtins, co_names and others; what other objects have too, as clear and replace, has no "_"
    name
    for kind in (AsyncGeneratorType, CodeType, CoroutineType, FrameType, GeneratorType, TracebackType)
    for name in dir(kind)
    if "_" in name and not name.startswith("_")
}
# As attributes of anything: they lead to modules, to code made of text, to objects by computed names.
ATTRIBUTES = (
    (NAMES - {"eval"})
    | _FRAMES_AND_CODE
    | _words(
        "CheckpointFunction Formatter ForwardRef NpzFile TestCase Timer _convert_ _evaluate backend_registry benchmark builtins "
        "classes codecs codeop copyreg cpp_extension ctypes ctypeslib decorate_methods enum export f2py fx gc get_field "
        "getattr_static hub importlib inspect jit library load marshal measure multiprocessing npyio ops overrides package "
        "parametrize pickle pkgutil prune pydoc read_array resolve_name rundocs runpy runstring serialization sys types "
        # of PyTorch: they give an attribute of an object or of torch that is named by a text
        "ParameterDict ParameterList SAC_IGNORED_OPS all_weights as_subclass fget get_device_module make_graphed_callables overloadpacket "
        "rename_privateuse1_backend "
        "obj"  # of an AttributeError: what a library has found by a text, where that lacks an attribute
    )
)
# Of these it is true that they reach any name; of the others, that a name may be used by them that is not written.
REACHING = _words(
    "__builtins__ __dict__ __globals__ __getattribute__ __import__ __loader__ __spec__ attrgetter builtins compile eval exec get_field "
    "getattr getattr_static globals importlib inspect locals methodcaller modules resolve_name setattr sys vars"
)
METACLASSES = _words("ABCMeta FunctionMeta NamedTupleMeta VariableMeta")  # called, they make classes with computed names in them
# Methods with which a class is handed functions, or names and values of others, or has copy set attributes that it names by a text.
HOOKS = _words(
    "__array_function__ __array_ufunc__ __class_getitem__ __dict__ __getattr__ __getattribute__ __getstate__ __prepare__ __reduce__ "
    "__reduce_ex__ __set_name__ __setattr__ __torch_dispatch__ __torch_function__"
)
# What of the form __name__ leads nowhere.
DUNDERS = _words(
    "__init__ __name__ __doc__ __version__ __len__ __call__ __enter__ __exit__ __post_init__ __file__ __slots__ __all__ __debug__"
)
# Names that a class body may give to a method of its own as well, as in `__radd__ = __add__`: what `def` may do too.
OPERATOR_METHODS = {
    f"__{kind}{name}__"
    for name in _words("add sub mul truediv floordiv mod pow matmul lshift rshift and or xor")
    for kind in ("", "r", "i")
} | _words("__neg__ __pos__ __abs__ __invert__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __repr__ __str__")
