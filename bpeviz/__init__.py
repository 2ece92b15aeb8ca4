"""bpeviz: see, understand and compare byte-pair encoding.

The public names are those of ``bpeviz.public``. They are loaded when one is used first, because every module
of the package imports this one, and a process that only trains or splits needs few of them.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bpeviz.public import *  # noqa: F403 - each name is in its __all__

__version__ = "0.1.0"


if not TYPE_CHECKING:  # else a type checker would take any name for a public one

    def __getattr__(name: str) -> object:
        """Load all public names, and all that the package then holds."""
        if name.startswith("__") and name != "__all__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        public = import_module("bpeviz.public")
        names = {each: getattr(public, each) for each in public.__all__}
        globals().update(names, __all__=[*names, "__version__"])
        if name not in globals():
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return globals()[name]

    def __dir__() -> list[str]:
        return sorted({*globals(), *__getattr__("__all__")})
